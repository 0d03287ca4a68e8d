// Where on the table the thing lies that is meant now, as a selector: one for all layouts.
import { letterOf, parse } from '../game/actions';
import { DOMAIN_OF, EMBLEMS } from '../text/emblems';
import type { LessonGame } from './lesson.svelte';
import { ME } from './lessons';

const MAIN = '.go .main';

// What an effect is aimed at.
function aimed(action: string): string {
  const { seat, named, copied } = parse(action);
  if (copied) return `.option[data-d="${EMBLEMS[DOMAIN_OF[copied]]}"]`;
  if (!named) return `.opp[data-seat="${seat}"] .aim, .option[data-seat="${seat}"]`;
  const column = `${seat ?? ME}${letterOf(named)}`;
  // Not the small columns of a strip: on a phone the same ones stand below, larger.
  return `[data-column="${column}"]:not(.pc), [data-target="${column}"]`;
}

// On a phone a lane leads to its effects.
function begun(action: string): string {
  const { effect } = parse(action);
  if (!effect) return MAIN;
  const lane = `.lane[data-column="${ME}${DOMAIN_OF[effect]}"]`;
  return `.fx[data-effect="${effect}"], [data-explained="${effect}"] .use, ${lane}`;
}

export function targetOf(game: LessonGame): string {
  const { composer, step, meant } = game;
  if (game.wrong) return MAIN;
  if (!composer || !step) return '';
  if (game.tried) return '[data-lesson=back]';
  if (composer.complete) return MAIN;
  if (composer.aiming) return meant.map(aimed).join();
  if (!composer.zone) return meant.map(begun).join();
  const wanted = step.want.slice(composer.actions.length);
  const named = [...wanted, ...(composer.guide.choose ? [] : meant)].flatMap(
    (action) => parse(action).named ?? [],
  );
  const place = composer.zone === 'hand' ? '.hand' : '.chooser';
  return named.map((one) => `${place} .card.lit[data-card^="${letterOf(one)}"]`).join();
}
