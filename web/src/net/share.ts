// Gives a link to somebody else: by what the device has for that, else by the clipboard, else by
// showing it.
import { server } from './api';
import { isLocal, linkTo } from './link';

export type Shared = 'shared' | 'copied' | 'shown';

export async function share(url: string, title: string): Promise<Shared> {
  // Only pages of https have the first two.
  try {
    if (navigator.share) {
      await navigator.share({ url, title });
      return 'shared';
    }
  } catch (error) {
    // The player thought better of it.
    if ((error as DOMException).name === 'AbortError') return 'shared';
  }
  return copy(url, title);
}

async function copy(url: string, title: string): Promise<'copied' | 'shown'> {
  try {
    await navigator.clipboard.writeText(url);
    return 'copied';
  } catch {
    if (copied(url)) return 'copied';
  }
  prompt(title, url);
  return 'shown';
}

// The old way, which works anywhere. Behind an open dialog nothing can be selected.
function copied(text: string): boolean {
  const before = document.activeElement as HTMLElement | null;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.cssText = 'position:fixed;opacity:0';
  (before?.closest('dialog') ?? document.body).append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  before?.focus();
  return done;
}

// The same of a screen of this page. On the device that serves it, its own address would be of no
// use to others.
export async function pass(path: string, title: string): Promise<Shared> {
  const info = isLocal(location.hostname) ? await server() : null;
  return share(linkTo(path, document.baseURI, info?.ok ? info.value.address : null), title);
}
