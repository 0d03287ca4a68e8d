// Names of things as a screen reader says them.
import type { Card, Holding, Letter } from '../engine/types';
import { ageOf, count, letterOf, ROMAN } from '../game/actions';
import { resultIn, type Scene } from '../game/scene';
import { labelsOf } from '../game/setup-names';
import type { Summary } from '../game/store';
import { list, t } from '../text/text.svelte';

export function cardName(card: Card): string {
  return t('card', { domain: t(`domain.${letterOf(card)}`), age: ROMAN[ageOf(card)] });
}

// "Military (Age I), 2 × Science (Age II)".
function cardsName(cards: Card[]): string {
  const kinds = [...new Set(cards)];
  return list(
    kinds.map((card) =>
      count(cards, card) > 1
        ? t('cards.times', { count: count(cards, card), card: cardName(card) })
        : cardName(card),
    ),
  );
}

// What the discard effect of a Domain costs. An Attack takes a second card.
export const costOf = (letter: Letter): string =>
  letter === 'M'
    ? t('table.ref-cost-attack')
    : t('table.ref-cost', { domain: t(`domain.${letter}`) });

// For texts that say of somebody's things whose they are.
export const whose = (scene: Scene, seat: number): { you: 'yes' | 'no'; name: string } => ({
  you: seat === scene.me ? 'yes' : 'no',
  name: scene.names[seat],
});

export function backsOf(hand: Holding): (1 | 2 | 3)[] {
  return 'backs' in hand ? hand.backs : hand.cards.map(ageOf);
}

export function handName(hand: Holding): string {
  if ('cards' in hand)
    return t('table.hand-open', { count: hand.cards.length, cards: cardsName(hand.cards) });
  const known = hand.known ?? [];
  return known.length > 0
    ? t('table.hand-known', { count: hand.backs.length, cards: cardsName(known) })
    : t('table.hand-backs', { count: hand.backs.length });
}

// Who has won, in a few words.
export function resultOf(scene: Scene): string {
  const winners = resultIn(scene)?.winners ?? [];
  if (scene.me !== null && winners.includes(scene.me)) return t('end.you-won');
  return winners.length > 0
    ? t('end.won', {
        names: list(winners.map((seat) => scene.labels[seat])),
        count: winners.length,
      })
    : t('table.over');
}

// Whether a Hegemony is in reach at once, for certain, or with some hand that fits.
export function howSure({ now }: Scene, seat: number): 'now' | 'proven' | 'maybe' {
  if (!now.guide.threats[seat]?.proven) return 'maybe';
  return now.guide.turnOf === seat ? 'now' : 'proven';
}

// How a game that is over was won, and by whom; null while it goes on.
export function outcomeOf(game: Pick<Summary, 'record' | 'seats' | 'names'>): string | null {
  const { result } = game.record;
  if (!result) return null;
  if (result.winners.length === 0) return t('games.nobody');
  const labels = labelsOf(game);
  const names = list(result.winners.map((seat) => labels[seat]));
  if (result.by === 'hegemony')
    return t('games.hegemony', { domain: t(`domain.${result.domain!}`), names });
  return result.by === 'majority' ? t('games.majority', { names }) : t('games.forfeit', { names });
}
