// The page as an app that works without a network. A new version is fetched in the background and
// waits: it takes over when every tab of the old one is closed, or when the player takes it. Games
// are saved after every action, so nothing is lost by the reload.
import { type Readable, writable } from 'svelte/store';

const HOUR = 3_600_000; // milliseconds

const offered = writable<(() => void) | null>(null);

// Takes the new version that waits; null while there is none.
export const update: Readable<(() => void) | null> = offered;

function offer(worker: ServiceWorker): void {
  offered.set(() => worker.postMessage({ type: 'SKIP_WAITING' }));
}

const atTable = (): boolean => /^#\/(play|table)\//.test(location.hash);

// Another tab may have taken the new version: a game that is being played here goes on, and the
// page is loaded anew when it is left.
function reload(): void {
  if (atTable()) addEventListener('hashchange', reload, { once: true });
  else location.reload();
}

// A browser looks for a new version when the page is opened. A tab may stay open for days.
function keepLooking(registration: ServiceWorkerRegistration): void {
  const look = () => void registration.update().catch(() => {}); // without a network: later
  setInterval(look, HOUR);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') look();
  });
}

export async function registerApp(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const workers = navigator.serviceWorker;
  // Without a worker until now, this is the first visit: there is no old version, and nothing to
  // reload for.
  if (workers.controller) workers.addEventListener('controllerchange', reload, { once: true });
  try {
    const registration = await workers.register('./sw.js');
    if (registration.waiting && workers.controller) offer(registration.waiting);
    registration.addEventListener('updatefound', () => {
      const worker = registration.installing;
      worker?.addEventListener('statechange', () => {
        if (worker.state === 'installed' && workers.controller) offer(worker);
      });
    });
    keepLooking(registration);
  } catch {
    // Not allowed here, as in some private windows: the page works all the same, with a network.
  }
}
