import './styles/fonts.css';
import './styles/tokens.css';
import './styles/card.css';
import './styles/app.css';
import './styles/compact.css';
import './styles/home.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { loadBots } from './bots/pool';
import { loadEngine } from './engine/engine';
import { registerApp } from './pwa';
import { start } from './text/text.svelte';

// The engine is needed with the first card; the start page is there before it.
void loadEngine();
await start();
mount(App, { target: document.getElementById('app')! });
registerApp();
// The bots come after the page can be used; until then nobody waits for them.
requestIdleCallback?.(() => void loadBots().catch(() => {}));
