// Whether the record of a table is that of the game that was seen there.
import { describe, expect, test, vi } from 'vitest';
import { finished, look } from '../../tests/games';
import type { GameRecord } from '../engine/types';
import { recordOf, tableOf, whoAmI } from './api';
import { gameOf, tells } from './keep';
import type { GameState } from './types';

vi.mock('./api', () => ({ recordOf: vi.fn(), tableOf: vi.fn(), whoAmI: vi.fn() }));
vi.mock('./table.svelte', () => ({}));
vi.mock('../engine/engine', async () => {
  const { engine } = await import('../../tests/engine');
  const look = (request: object) => engine.look(request);
  return { look, fault: () => null, loadEngine: async () => {} };
});

const record = finished({ players: 3, setup: 'draft' }, 6);

// As the server told it to a seat: what others keep and give is told as its back.
function seen(by: number, of: GameRecord = record): GameState {
  const { view, story, headings } = look(of, by);
  const log = of.actions.map((action, i) =>
    /^(keep|give) /.test(action) && look(of, null, i).view.seat !== by
      ? action.replace(/ [MRESCU]/, ' ?')
      : action,
  );
  return { actions: of.actions.length, from: 0, final: 0, log, headings, story, view };
}

describe('the record of a table', () => {
  test('is the game that was seen, however that was told', () => {
    for (const seat of [0, 1, 2]) {
      const game = seen(seat);
      expect(game.log.some((action) => action.includes('?'))).toBe(true);
      expect(tells(record, seat, game)).toBe(true);
      const newer = { ...game, story: [], view: { ...game.view, weather: 'fine' } };
      expect(tells(record, seat, newer as GameState)).toBe(true);
    }
  });

  test('is not if something else was done or held', () => {
    const game = seen(0);
    const at = game.log.findIndex((action) => action.startsWith('play '));
    const other = game.log[at] === 'play M1' ? 'play R1' : 'play M1';
    expect(tells(record, 0, { ...game, log: game.log.with(at, other) })).toBe(false);
    expect(tells(record, 0, { ...game, actions: game.actions - 1 })).toBe(false);
    const held = game.view.hands.with(0, { cards: ['M1', 'M1', 'M1', 'M1', 'M1'] });
    expect(tells(record, 0, { ...game, view: { ...game.view, hands: held } })).toBe(false);
  });
});

test.each([true, false, undefined])(
  'a table’s game has pacts if the table did: %s',
  async (pacts) => {
    const chairs = [0, 1, 2].map(() => ({ person: null, bot: 'level4' }));
    vi.mocked(recordOf).mockResolvedValue({ ok: true, value: record });
    vi.mocked(whoAmI).mockResolvedValue({ ok: false } as never);
    vi.mocked(tableOf).mockResolvedValue({
      ok: true,
      value: { chairs, options: { pacts } },
    } as never);
    const answer = await gameOf('k7w2');
    expect(answer.ok && answer.value.pacts).toBe(pacts === true);
  },
);
