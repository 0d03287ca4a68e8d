// The game from which the rules were opened, so that they lead back to it.
const GAMES = ['play', 'table', 'replay', 'record'];
const screenOf = (url: string): string => new URL(url).hash.split('/')[1] ?? '';

let back = $state<string | null>(null);

export const wayBack = {
  get current(): string | null {
    return back;
  },
};

// A test renders the rules without a window.
globalThis.addEventListener?.('hashchange', ({ oldURL, newURL }) => {
  if (screenOf(newURL) !== 'rules') back = null;
  else if (GAMES.includes(screenOf(oldURL))) back = new URL(oldURL).hash;
});
