// What is asked about, by name.
import type { Letter } from '../engine/types';
import { letterOf } from '../game/actions';
import type { Scene } from '../game/scene';
import { DOMAIN_OF } from '../text/emblems';
import { t } from '../text/text.svelte';
import type { Subject } from './explain.svelte';
import { cardName, howSure } from './names';

export function letterOfSubject(subject: Subject): Letter | null {
  if ('letter' in subject) return subject.letter;
  if (subject.kind === 'effect') return DOMAIN_OF[subject.effect];
  return subject.kind === 'card' ? letterOf(subject.card) : null;
}

export function titleOf(scene: Scene, subject: Subject): string {
  const letter = letterOfSubject(subject);
  if (subject.kind === 'deck') return t('deck.title');
  if (subject.kind === 'pact' || subject.kind === 'pacts') return t('pacts.all');
  if (!('seat' in subject)) return t('goal.title');
  if (subject.kind === 'propose' && scene.parley?.characters.length)
    return t('pacts.with', { name: scene.names[subject.seat] });
  if (subject.kind === 'threat')
    return subject.seat === scene.me
      ? t('danger.you')
      : t('danger.title', {
          how: howSure(scene, subject.seat),
          name: scene.names[subject.seat],
        });
  if (subject.kind === 'card') return cardName(subject.card);
  const { seat } = subject;
  const whose = seat === scene.me ? '' : `${scene.names[seat!]}: `;
  return letter ? `${whose}${t(`domain.${letter}`)}` : scene.labels[seat!];
}
