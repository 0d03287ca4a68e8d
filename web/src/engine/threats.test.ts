// What the engine says of threats: what stops one does, and nothing hidden is told.
import { beforeAll, expect, test } from 'vitest';
import { find } from '../../tests/games';
import { POSITIONS } from '../../tests/positions';
import { loadRealEngine } from '../../tools/real-engine';
import { look, preview } from './engine';

beforeAll(loadRealEngine);

test.each(['threat', 'proven'] as const)('a threat says how, and what stops it: %s', (name) => {
  const record = find(POSITIONS[name]);
  const now = look({ record, seat: 0 });
  if (!now.ok) throw new Error(now.error.key);
  const threats = now.guide.threats.slice(1).filter((threat) => threat !== null);
  expect(threats.length).toBeGreaterThan(0);
  for (const [i, threat] of now.guide.threats.entries()) {
    expect(threat?.how.length).not.toBe(0);
    for (const { action, now: legal, left, then } of threat?.stops ?? []) {
      const ahead = legal && preview(now.view, [action, ...then]);
      if (!ahead) continue; // an Inquisition shows something hidden
      const after = ahead.guide.threats[i];
      expect(left.length === 0 ? after : !after?.proven).toBe(left.length === 0 ? null : true);
    }
  }
});

test('a spectator is told how, and has nothing to stop it with', () => {
  const now = look({ record: find(POSITIONS.proven), seat: null });
  if (!now.ok) throw new Error(now.error.key);
  for (const threat of now.guide.threats) expect(threat?.stops ?? []).toEqual([]);
  expect(now.guide.effectsOf).toHaveLength(now.view.players);
});
