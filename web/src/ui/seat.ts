// What a seat is doing, said the same wherever it is shown.
import type { Character } from '../engine/types';
import { acts, type Scene } from '../game/scene';
import type { Level } from '../game/setup';
import { levelName } from '../game/setup-names';
import { t } from '../text/text.svelte';

export type Doing =
  | 'thinks'
  | 'away'
  | 'chosen'
  | 'chooses'
  | 'acts'
  | 'left'
  | 'bot'
  | 'host'
  | 'person';

export interface SeatStatus {
  doing: Doing;
  words: string;
  icon: string | null;
  dots: boolean; // they are busy with it
  bot: boolean;
  away: boolean;
  left: boolean; // a bot has taken over
  partner: boolean;
  character: Character | null; // of a bot that makes pacts
}

const ICONS: Partial<Record<Doing, string>> = { away: 'away', chosen: 'check' };

// In a game of two against two, partners sit opposite each other.
export const isPartner = (teams: boolean, me: number | null, seat: number): boolean =>
  teams && me !== null && seat === (me + 2) % 4;

function doingOf(scene: Scene, seat: number, bot: boolean, away: boolean): Doing {
  const { table, lookingBack } = scene;
  const picked =
    scene.now.view.step === 'draft' && !lookingBack ? table?.state.draft?.picked[seat] : undefined;
  const chair = table?.state.chairs[seat];
  if (scene.thinking === seat) return 'thinks';
  if (away) return 'away';
  if (picked !== undefined) return picked ? 'chosen' : 'chooses';
  if (acts(scene, seat)) return 'acts';
  if (chair?.left) return 'left';
  if (bot) return 'bot';
  return table?.state.host && chair?.person?.id === table.state.host ? 'host' : 'person';
}

function wordsFor(scene: Scene, seat: number, doing: Doing): string {
  const { seats, table } = scene;
  const level = Number(seats[seat].replace('level', '')) as Level;
  const words: Record<Doing, () => string> = {
    thinks: () => t('table.thinks'),
    away: () => t('live.away'),
    chosen: () => t('live.chosen'),
    chooses: () => t('live.choosing'),
    acts: () => t('table.acts'),
    left: () => (table?.state.status === 'running' ? t('live.left-seat') : t('live.left-game')),
    // At a table with others the name says how strong it is.
    bot: () => (table ? t('live.bot') : t('options.bot-named', { level: levelName(level) })),
    host: () => t('live.host'),
    person: () => (seat === scene.me ? '' : t('table.person')),
  };
  return words[doing]();
}

export function seatStatus(scene: Scene, seat: number): SeatStatus {
  const bot = scene.seats[seat] !== 'human';
  const there = scene.table?.presence.seats ?? [];
  const away = !bot && there.length > 0 && !there[seat];
  const doing = doingOf(scene, seat, bot, away);
  return {
    doing,
    words: wordsFor(scene, seat, doing),
    icon: ICONS[doing] ?? null,
    dots: doing === 'thinks' || doing === 'chooses',
    bot,
    away,
    left: !!scene.table?.state.chairs[seat].left,
    partner: isPartner(scene.now.view.teams, scene.me, seat),
    character: scene.parley?.characters[seat] ?? null,
  };
}
