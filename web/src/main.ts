import './styles/fonts.css';
import './styles/tokens.css';
import './styles/card.css';
import './styles/card-states.css';
import './styles/base.css';
import './styles/around.css';
import { hydrate, mount } from 'svelte';
import App from './App.svelte';
import { fetchGame } from './late';
import { watchTurns } from './net/me.svelte';
import { registerApp } from './pwa';
import { takeOver } from './screens/start/turns';
import { isStart, READY } from './start';
import { followOtherTabs, language, start } from './text/text.svelte';

// Lets the browser draw, or answer to a press, in between.
const pause = () => new Promise((resolve) => setTimeout(resolve));

// The start page may be there already, as it was built, in the language that is spoken now.
async function show(): Promise<void> {
  const target = document.getElementById('app')!;
  if (isStart() && target.dataset.language === language.current) {
    hydrate(App, { target });
  } else {
    target.replaceChildren();
    mount(App, { target });
  }
  await takeOver(pause);
  document.dispatchEvent(new Event(READY));
}

const loaded = () =>
  new Promise<void>((resolve) => {
    if (document.readyState === 'complete') resolve();
    else addEventListener('load', () => resolve(), { once: true });
  });

const LONG = 1000; // milliseconds that a page may be busy
const idle = () =>
  new Promise<Pick<IdleDeadline, 'timeRemaining'>>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: LONG });
    else setTimeout(resolve, 20, { timeRemaining: () => 20 });
  });

// A function, because what is loaded later imports from this file and would wait for it to come to
// its end.
async function begin() {
  await pause();
  await start();
  followOtherTabs();
  await pause();
  await show();

  // What nobody has asked for yet comes one thing after another, when nothing else is to be done:
  // the engine and the table, for the first card; then what makes the page an app, which fetches
  // all the rest.
  await loaded();
  await idle();
  watchTurns();
  await fetchGame(idle).catch(() => {}); // whoever needs it will ask again
  await idle();
  await registerApp();
}

void begin();
