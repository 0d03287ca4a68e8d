// Ways to tell somebody who looks elsewhere: the tab's title and icon, the app's badge, a
// notification.

const canNotify = (): boolean => 'Notification' in globalThis && isSecureContext;
export const mayNotify = (): boolean => canNotify() && Notification.permission === 'granted';

// Asked for by the player only.
export async function allowNotices(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === 'granted';
}

export async function notify(id: string, title: string, body: string): Promise<void> {
  if (!mayNotify() || document.visibilityState === 'visible') return;
  const options = {
    body,
    tag: `civ-${id}`,
    icon: new URL('icon-192.png', document.baseURI).href,
    data: `#/table/${id}`,
  };
  try {
    const notice = new Notification(title, options);
    notice.onclick = () => {
      focus();
      location.hash = options.data;
      notice.close();
    };
    onceSeen(() => notice.close());
  } catch {
    // Android wants the worker to do it.
    const worker = await navigator.serviceWorker?.getRegistration();
    await worker?.showNotification(title, options).catch(() => {});
    onceSeen(async () => {
      for (const notice of (await worker?.getNotifications({ tag: options.tag })) ?? [])
        notice.close();
    });
  }
}

// Who is back needs no notification any more.
const onceSeen = (then: () => void) =>
  document.addEventListener('visibilitychange', then, { once: true });

const NUMBER = /^\(\d+\) /;
let count = 0;
let watched = false;

function title(): void {
  const plain = document.title.replace(NUMBER, '');
  const wanted = count > 0 ? `(${count}) ${plain}` : plain;
  if (document.title !== wanted) document.title = wanted;
}

const DOT = '<circle cx="76%" cy="24%" r="22%" fill="#d12b1f" stroke="#fff" stroke-width="5%"/>';
let plainIcon = '';
let marked = false;

async function icon(on: boolean): Promise<void> {
  if (on === marked) return;
  marked = on;
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (!link) return;
  plainIcon ||= link.href;
  if (!on) {
    link.href = plainIcon;
    return;
  }
  try {
    const svg = await (await fetch(plainIcon)).text();
    if (marked)
      link.href = `data:image/svg+xml,${encodeURIComponent(svg.replace('</svg>', `${DOT}</svg>`))}`;
  } catch {
    // the title says it, too
  }
}

// `others`: tables that this tab does not show; they are counted in its title.
export function badge(others: number, all: number): void {
  if (!watched) {
    watched = true;
    new MutationObserver(title).observe(document.querySelector('title')!, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  }
  count = others;
  title();
  void icon(all > 0);
  const app = navigator as {
    setAppBadge?: (count: number) => Promise<void>;
    clearAppBadge?: () => Promise<void>;
  };
  void (all > 0 ? app.setAppBadge?.(all) : app.clearAppBadge?.())?.catch(() => {});
}
