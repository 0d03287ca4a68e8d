// What the page and the script before it (first.ts) both know.

export const READY = 'civ-ready'; // an event: the page itself is there

// Does the address name the start page?
export const isStart = (): boolean => /^#?\/?$/.test(location.hash);
