// Where games are kept: IndexedDB, which has room for as many as anybody plays.

export interface Shelf {
  list(): Promise<[id: string, summary: string][]>;
  read(id: string): Promise<string | null>;
  // Both or none; nothing where something is stored that must not be replaced.
  write(id: string, game: string, summary: string, fits?: Fits): Promise<void>;
  remove(id: string): Promise<void>;
}

export type Fits = (stored: string | null) => boolean;
export type Change = (id: string) => void;

// Other tabs of this page.
export interface Tabs {
  tell: Change;
  hear(change: Change): () => void; // gives back what ends it
}

const NAME = 'civ';
const VERSION = 1;
const [GAMES, SUMMARIES] = ['games', 'summaries'];

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const store of [GAMES, SUMMARIES]) request.result.createObjectStore(store);
    };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => resolve(request.result);
  });
}

const answer = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

// It is over when everything is stored.
function over(change: IDBTransaction): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    change.oncomplete = () => resolve();
    change.onabort = () => reject(change.error);
  });
}

class Database implements Shelf {
  #opened: Promise<IDBDatabase> | null = null;
  #base: IDBDatabase | null = null;

  // At once where it is open, so that what is written last before a page is closed is under way.
  #with<T>(then: (base: IDBDatabase) => Promise<T>): Promise<T> {
    return this.#base ? then(this.#base) : this.#open().then(then);
  }

  #open(): Promise<IDBDatabase> {
    this.#opened ??= opened().then(
      (base) => {
        // Another version wants to change it, or the browser has closed it: then it is opened anew.
        const forget = () => {
          base.close();
          this.#base = this.#opened = null;
        };
        base.onversionchange = base.onclose = forget;
        this.#base = base;
        return base;
      },
      (error) => {
        this.#opened = null;
        throw error;
      },
    );
    return this.#opened;
  }

  list(): Promise<[string, string][]> {
    return this.#with(async (base) => {
      const store = base.transaction(SUMMARIES).objectStore(SUMMARIES);
      const [ids, texts] = await Promise.all([
        answer(store.getAllKeys()),
        answer(store.getAll() as IDBRequest<string[]>),
      ]);
      return texts.map((text, i) => [String(ids[i]), text]);
    });
  }

  read(id: string): Promise<string | null> {
    return this.#with(async (base) => {
      const store = base.transaction(GAMES).objectStore(GAMES);
      return (await answer(store.get(id) as IDBRequest<string | undefined>)) ?? null;
    });
  }

  write(id: string, game: string, summary: string, fits?: Fits): Promise<void> {
    return this.#with((base) => {
      const change = base.transaction([GAMES, SUMMARIES], 'readwrite');
      const games = change.objectStore(GAMES);
      const put = () => {
        games.put(game, id);
        change.objectStore(SUMMARIES).put(summary, id);
        change.commit(); // now, even if the page is closed at once
      };
      // Between the question and the answer no other tab writes: the change is one.
      if (fits) {
        const stored = games.get(id) as IDBRequest<string | undefined>;
        stored.onsuccess = () => fits(stored.result ?? null) && put();
      } else put();
      return over(change);
    });
  }

  remove(id: string): Promise<void> {
    return this.#with((base) => {
      const change = base.transaction([GAMES, SUMMARIES], 'readwrite');
      for (const store of [GAMES, SUMMARIES]) change.objectStore(store).delete(id);
      change.commit();
      return over(change);
    });
  }
}

// Null where there is none, as when the page is built. A browser that forbids it says so later.
export const deviceShelf = (): Shelf | null =>
  typeof indexedDB === 'undefined' ? null : new Database();

// Opened when it is needed: an open channel would keep the build of the page from ending.
export function otherTabs(): Tabs {
  let opened: BroadcastChannel | null = null;
  const channel = () => {
    opened ??= new BroadcastChannel('civ.games');
    return opened;
  };
  return {
    tell: (id) => channel().postMessage(id),
    hear(change) {
      const hear = ({ data }: MessageEvent) => change(String(data));
      channel().addEventListener('message', hear);
      return () => channel().removeEventListener('message', hear);
    },
  };
}
