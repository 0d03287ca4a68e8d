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

// What is pressed too early is pressed again when the page is there. Links work without it.
function holdPresses(page: HTMLElement): void {
  let pressed: HTMLElement | SVGElement | null = null;
  const hold = (event: Event) => {
    const target = event.target as HTMLElement;
    if (target.closest('a')) return;
    event.preventDefault();
    event.stopPropagation(); // parts that are taken over already would do it now and then again
    pressed = target.closest('button') ?? target; // what is drawn in it may be drawn anew
  };
  const release = () => {
    page.removeEventListener('click', hold, true);
    pressed?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  };
  page.addEventListener('click', hold, true);
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
