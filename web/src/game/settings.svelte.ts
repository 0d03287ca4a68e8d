import { readSettings, SETTINGS_KEY, type Settings, writeSettings } from './settings';

// Without storage (private windows of some browsers) the settings last as long as the page.
function stored(): string | null {
  try {
    return localStorage.getItem(SETTINGS_KEY);
  } catch {
    return null;
  }
}

export const settings: Settings = $state(readSettings(stored()));

const systemDark = matchMedia('(prefers-color-scheme: dark)');
let systemIsDark = $state(systemDark.matches);
systemDark.addEventListener('change', (event) => {
  systemIsDark = event.matches;
});

export const isDark = (): boolean =>
  settings.theme === 'auto' ? systemIsDark : settings.theme === 'dark';

// To the other theme; and where that is the system's, to whatever the system will say.
export function switchTheme(): void {
  const dark = !isDark();
  settings.theme = dark === systemIsDark ? 'auto' : dark ? 'dark' : 'light';
}

function showTheme(): void {
  const page = document.documentElement;
  if (settings.theme === 'auto') delete page.dataset.theme;
  else page.dataset.theme = settings.theme;
  let meta = document.querySelector<HTMLMetaElement>('meta[name=theme-color]');
  if (!meta) {
    meta = document.createElement('meta');
    meta.name = 'theme-color';
    document.head.append(meta);
  }
  meta.content = isDark() ? '#0f1417' : '#dfe3e0'; // --table
}

// Another tab that changed the settings is right: what it wrote is read, and written again only if
// it differs.
window.addEventListener('storage', (event) => {
  if (event.key === SETTINGS_KEY) Object.assign(settings, readSettings(event.newValue));
});

$effect.root(() => {
  $effect(showTheme);
  $effect(() => {
    const text = writeSettings(settings);
    if (text === stored()) return;
    try {
      localStorage.setItem(SETTINGS_KEY, text);
    } catch {
      // full or forbidden
    }
  });
});
