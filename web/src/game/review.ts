// A review as it was stored, which may be damaged: all of it, or nothing.
import type { JudgedTurn, Message, Review } from '../engine/types';

type Fields = Record<string, unknown>;
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isList = (value: unknown, fits: (entry: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(fits);
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const isText = (value: unknown) => typeof value === 'string';
const isMessage = (value: unknown): value is Message =>
  isObject(value) && isText(value.key) && isObject(value.args);

export function readReview(value: unknown, players: number, actions: number): Review | null {
  if (!isObject(value) || !Array.isArray(value.turns)) return null;
  const bySeat = (list: unknown, fits = isNumber) =>
    isList(list, fits) && (list as unknown[]).length === players;
  const isPlace = (place: unknown, below: number) =>
    Number.isInteger(place) && (place as number) >= 0 && (place as number) < below;
  const isTurn = (turn: unknown): turn is JudgedTurn =>
    isObject(turn) &&
    [turn.turn, turn.lost, turn.chance].every(isNumber) &&
    isPlace(turn.seat, players) &&
    [turn.begin, turn.at].every((at) => isPlace(at, actions)) &&
    isPlace(turn.end, actions + 1) &&
    bySeat(turn.before) &&
    bySeat(turn.luck) &&
    isList(turn.played, isText) &&
    isList(turn.better, isText) &&
    [null, 'slip', 'error', 'blunder'].includes(turn.remark as null) &&
    isList(turn.reasons, isMessage) &&
    typeof turn.joker === 'boolean';
  const { turns, turningPoint, moments } = value;
  const fits =
    bySeat(value.quality, (one) => one === null || isNumber(one)) &&
    [value.deal, value.luck, value.skill, value.others, value.chances].every((list) =>
      bySeat(list),
    ) &&
    turns.every(isTurn) &&
    (turningPoint === null || isPlace(turningPoint, turns.length)) &&
    isList(moments, (place) => isPlace(place, turns.length));
  return fits ? (value as unknown as Review) : null;
}
