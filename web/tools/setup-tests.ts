// Tests of what is said in a game need not load its texts first.
import { loadTexts } from '../src/text/text.svelte';

await loadTexts('game');
