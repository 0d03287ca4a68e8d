// The start page as markup, in each language. Only the build runs this (tools/prerender.ts).
import type { Component } from 'svelte';
import { render } from 'svelte/server';
import App from './App.svelte';
import { type Name, PARTS } from './screens/start/parts';
import { LANGUAGES, setLanguage } from './text/text.svelte';

// Where a part of the page stands, for the browser to take it over by itself.
const PLACE = /(<div class="part" data-part="(\w+)")><\/div>/g;

function whole(page: string): string {
  return page.replace(PLACE, (_, place: string, name: Name) => {
    const part = PARTS[name] as Component<object>;
    const props = { at: 'home', opened: {} };
    return `${place}>${render(part, { props, idPrefix: name }).body}</div>`;
  });
}

export const pages: { language: string; markup: string }[] = [];
for (const language of LANGUAGES) {
  await setLanguage(language);
  pages.push({ language, markup: whole(render(App).body) });
}
