import './styles/fonts.css';
import './styles/tokens.css';
import './styles/card.css';
import './styles/base.css';
import './styles/home.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { loadBots } from './bots/pool';
import { loadEngine } from './engine/engine';
import { watchTurns } from './net/me.svelte';
import { registerApp } from './pwa';
import { followOtherTabs, start } from './text/text.svelte';

// A function, because what is loaded later imports from this file and would wait for it to come to
// its end.
async function begin() {
  await start();
  followOtherTabs();
  mount(App, { target: document.getElementById('app')! });

  // One thing after another, so that on a slow line what is needed first comes first: the start
  // page, once it is seen the engine for the first card and the table, then what makes the page an
  // app, and the bots.
  await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
  watchTurns();
  await loadEngine().catch(() => {}); // whoever needs it will ask again
  await import('./screens/Table.svelte').catch(() => {});
  await registerApp();
  await loadBots().catch(() => {});
}

void begin();
