// The start page as markup, in each language. Only the build runs this (tools/prerender.ts).
import { render } from 'svelte/server';
import App from './App.svelte';
import { LANGUAGES, setLanguage } from './text/text.svelte';

export const pages: { language: string; markup: string }[] = [];
for (const language of LANGUAGES) {
  await setLanguage(language);
  pages.push({ language, markup: render(App).body });
}
