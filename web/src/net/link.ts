// Links that others can open.

// Addresses that mean this very device.
export const isLocal = (host: string): boolean =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(host);

// A page's address for others. On the device that serves it, that is where the server says the
// network reaches it, if it does.
export function linkTo(path: string, page: string, address: string | null): string {
  const url = new URL(page);
  if (address && isLocal(url.hostname)) {
    const { protocol, hostname, port } = new URL(address);
    Object.assign(url, { protocol, hostname, port });
  }
  url.search = '';
  url.hash = path;
  return url.href;
}

// Outside of secure pages there is no clipboard: then what is selected can still be copied, in most
// browsers.
export async function copy(text: string, field: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand('copy');
  }
}
