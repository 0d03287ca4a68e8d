// How what is imported late comes: with its styles, and beside what it imports itself. In place of
// Vite's own way (tools/preload.ts), which asks for a style only once, also where it does not come.
const scripts = new Set<string>();
const links = new Map<string, HTMLLinkElement>(); // of styles
const styles = new Map<string, Promise<void>>(); // that are here, or on their way

const linkTo = (href: string, rel: string) =>
  Object.assign(document.createElement('link'), { rel, href, crossOrigin: '' });

// Beside the import, which says whether it came.
function askForScript(href: string): void {
  if (scripts.has(href)) return;
  scripts.add(href);
  document.head.append(linkTo(href, 'modulepreload'));
}

// Another try stands where the first one did: later styles go before earlier ones.
function askForStyle(href: string): Promise<void> {
  const link = linkTo(href, 'stylesheet');
  const before = links.get(href);
  if (before) before.replaceWith(link);
  else document.head.append(link);
  links.set(href, link);
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      styles.delete(href);
      reject(new Error(`${href} did not come`));
    };
  });
}

function style(href: string): Promise<void> {
  const known = styles.get(href) ?? askForStyle(href);
  styles.set(href, known);
  return known;
}

// The name by which Vite calls it.
export async function __vitePreload<T>(
  load: () => Promise<T>,
  needed: string[] = [],
  from = '',
): Promise<T> {
  const coming = needed.map((name) => {
    const { href } = new URL(name, from);
    return href.endsWith('.css') ? style(href) : askForScript(href);
  });
  await Promise.all(coming);
  return load();
}
