// Runs before anything is shown, and stands in the document itself. Of the start page as it was
// built, once for each language, it puts the right one in place, so that there is something to see
// and to press before the page itself is there.
import { isStart, READY } from './start';
import { preferred } from './text/preferred';

// What is stored on this device, if somebody has been here before.
function storedSettings(): { theme?: string } | null {
  try {
    return JSON.parse(localStorage.getItem('civ.settings') ?? 'null');
  } catch {
    return null;
  }
}

// What is pressed or chosen too early is done when the page is there: everything once, in order.
// Links, and opening a list, work without it.
const KINDS = ['click', 'change'];
function holdPresses(page: HTMLElement): void {
  const held = new Map<HTMLElement | SVGElement, () => void>();
  const hold = (event: Event) => {
    const target = event.target as HTMLElement;
    const list = target.closest('select');
    if (target.closest('a') || (list && event.type === 'click')) return;
    event.preventDefault();
    event.stopPropagation(); // parts that are taken over already would do it now and then again
    const chosen = list?.value ?? '';
    const pressed = target.closest('button') ?? target; // what is drawn in it may be drawn anew
    held.delete(pressed);
    held.set(pressed, () => {
      if (list) list.value = chosen;
      pressed.dispatchEvent(new (event.constructor as typeof Event)(event.type, event));
    });
  };
  const release = () => {
    for (const type of KINDS) page.removeEventListener(type, hold, true);
    for (const again of held.values()) again();
  };
  for (const type of KINDS) page.addEventListener(type, hold, true);
  document.addEventListener(READY, release, { once: true });
}

// Texts that the page will ask for.
function preload(address: string): void {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = address;
  document.head.append(link);
}

function show(language: string, markup: string): void {
  const page = document.getElementById('app')!;
  document.documentElement.lang = language;
  page.dataset.language = language;
  page.innerHTML = markup;
  holdPresses(page);
}

const language = preferred();
const built = document.querySelector<HTMLScriptElement>(`script[lang=${language}]`);
const settings = storedSettings();
if (built?.dataset.texts) preload(built.dataset.texts);
if (settings?.theme === 'light' || settings?.theme === 'dark')
  document.documentElement.dataset.theme = settings.theme;
// Who has been here before has all of the page on the device, and wishes and games of which the
// built page knows nothing.
if (built && !settings && isStart()) show(language, built.text);
