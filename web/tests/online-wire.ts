// What a browser was told, held against what its player could see: every frame is compared with the
// record of the game, replayed to that moment.
import { expect } from '@playwright/test';
import type { GameRecord, Look } from '../src/engine/types';
import type { Answer, Command, Happened, Hello } from '../src/net/types';
import { engine } from './engine';
import { look } from './games';

type Told = Omit<Hello, 'type' | 'table'> & Happened; // whichever it is

export interface Frame {
  text: string;
}

export interface Body {
  path: string;
  text: string;
}

// All that a message may have (docs/api.md): in something else, something could hide.
const FIELDS = new Set(
  [
    'type n you table clock game chat seat person bot hash random first round card back yes to why',
    'text phrase line whom on rematch seats watching now spread id error talk pacts',
  ].flatMap((names) => names.split(' ')),
);
const TABLE = new Set(
  'status options chairs host result closed question draft deal rematch notes'.split(' '),
);
const GAME = new Set('actions from final log headings story view'.split(' '));
const CARD = /"\??[MRESCU][1-3]"|"(?:play|keep|give|take|discard|recover|claim) /;

// The log as a seat may read it: what others keep in the draft and give back by an Inquisition has
// its back up.
function logFor(record: GameRecord, seat: number | null, from: number): string[] {
  return record.actions.slice(from).map((action, i) => {
    const [verb, card] = action.split(' ');
    if (verb !== 'keep' && verb !== 'give') return action;
    const { view } = look(record, null, from + i);
    const hidden = seat !== view.seat && (verb === 'keep' || view.choice?.target !== seat);
    return hidden ? `${verb} ?${card[1]}` : action;
  });
}

export class Wire {
  frames: Frame[] = [];
  bodies: Body[] = [];
  sent: (Command & { id: string })[] = [];
  checked = 0;

  // Where something was taken back, the record is not what was seen before: what was done then is
  // what was told of it. That has nothing hidden in it, for else it could not be taken back.
  check(record: GameRecord, person: string): void {
    let done: string[] = [];
    const pasts = [record]; // and what has been taken back since
    let seat: number | null = null;
    const seats = new Set<number | null>();
    let over = false;
    for (const { text } of this.frames) {
      const message = JSON.parse(text) as Told;
      expect(Object.keys(message).filter((key) => !FIELDS.has(key))).toEqual([]);
      const { game, chat, ...rest } = message;
      if (message.type === 'hello') seat = message.you.seat;
      if (message.table) {
        expect(Object.keys(message.table).filter((key) => !TABLE.has(key))).toEqual([]);
        over = message.table.status === 'over';
        if (!over) {
          const mine = message.table.chairs.findIndex(
            (chair) => chair.person?.id === person && !chair.left,
          );
          seat = mine < 0 ? null : mine;
        }
        if (!over) expect(message.table.deal ?? {}).not.toHaveProperty('secret');
      }
      if (message.type === 'pick' && message.seat !== seat)
        expect(message).not.toHaveProperty('card');
      // Cards are in the game, and in one's own pick.
      const { card, text: _, ...others } = rest as Happened;
      if (message.type !== 'refused') {
        const you = message.type === 'hello' ? { ...message.you, pick: undefined } : undefined;
        expect(JSON.stringify({ ...others, you })).not.toMatch(CARD);
      }
      if (!game) continue;
      seats.add(seat);
      expect(Object.keys(game).filter((key) => !GAME.has(key))).toEqual([]);
      const { actions: at, from } = game;
      if (done.length > from && at < done.length)
        pasts.push({ ...record, actions: done, result: null });
      const told = game.log.map((action, i) =>
        action.includes('?') ? record.actions[from + i] : action,
      );
      // Who comes later is told the last turns only.
      done = [...done.slice(0, from), ...record.actions.slice(done.length, from), ...told];
      expect(done.length, 'actions').toBe(at);
      const then = { ...record, actions: done, result: null };
      const seen = engine.look({ record: then, seat, you: true, at, from });
      if (!seen.ok) throw new Error(JSON.stringify(seen));
      expect(game.log, 'log').toEqual(logFor(then, seat, from));
      // In the draft everybody decides at once, and sees what is seen when it is one's turn in the
      // record.
      const turn =
        seen.view.step === 'draft' && seat !== null
          ? (seat - record.first + record.players) % record.players
          : 0;
      expect(game.view, `view of seat ${seat} after ${at}`).toEqual(
        turn > 0 ? look(record, seat, at + turn).view : seen.view,
      );
      expect(game.story, 'story').toEqual(seen.story);
      this.checked++;
    }
    if (this.checked > 0) expect(done).toEqual(record.actions.slice(0, done.length));
    for (const { path, text } of this.bodies) {
      if (/\/record$/.test(path)) continue; // there is none before the end: tests of the server
      const at = /\/view\?at=(\d+)/.exec(path)?.[1];
      if (at)
        expect(
          pasts.map((past) => engine.look({ record: past, seat, you: true, at: Number(at) }).view),
          path,
        ).toContainEqual(JSON.parse(text).view);
      else if (/\/story\?to=/.test(path)) this.#checkStory(pasts, seats, path, text);
      else expect(text, path).not.toMatch(CARD);
    }
  }

  // The story so far is that of a seat which the person had.
  #checkStory(pasts: GameRecord[], seats: Set<number | null>, path: string, text: string): void {
    const at = Number(/to=(\d+)/.exec(path)![1]);
    const may = pasts.flatMap((record) =>
      [...seats].map((seat) => {
        const { story, headings } = engine.look({ record, seat, you: true, at, from: 0 }) as Look;
        return { log: logFor(record, seat, 0).slice(0, at), headings, story };
      }),
    );
    expect(may, path).toContainEqual(JSON.parse(text));
  }

  // Every move that was sent was done once or refused, however often it had to be sent: in the
  // record is what was accepted, and nothing else but what was done elsewhere in between.
  once(record: GameRecord, seat: number, [from, to]: readonly [number, number] = [0, 0]): void {
    const answers = this.frames
      .map(({ text }) => JSON.parse(text) as Answer)
      .filter((one) => one.type === 'ack' || one.type === 'refused');
    const acts = new Map(
      this.sent.flatMap((one) => (one.type === 'act' ? [[one.id, one.actions]] : [])),
    );
    const accepted = [...acts].flatMap(([id, actions]) => {
      const answer = answers.findLast((one) => one.id === id);
      expect(answer, `${actions} was answered`).toBeDefined();
      return answer!.type === 'ack' ? actions : [];
    });
    const done = record.actions.filter(
      (action, i) =>
        (i < from || i >= to) &&
        !action.startsWith('keep ') &&
        look(record, null, i).view.seat === seat,
    );
    expect(accepted).toEqual(done);
  }
}
