import { describe, expect, test } from 'vitest';
import type { JudgedTurn, Review } from '../engine/types';
import { momentsOf } from './lines';

const turn = (seat: number, lost: number, remark: JudgedTurn['remark']) =>
  ({ seat, lost, remark }) as JudgedTurn;
const turns = [turn(0, 0.04, 'slip'), turn(1, 0.3, 'blunder'), turn(0, 0.1, 'error')];
const review = (moments: number[]) => ({ turns, moments }) as Review;

describe('the moments of a review', () => {
  test('have one of the player who looks, the worst, if there is any', () => {
    expect(momentsOf(review([1]), 0)).toEqual([1, 2]);
    expect(momentsOf(review([1]), 1)).toEqual([1]);
    expect(momentsOf(review([1, 0]), 0)).toEqual([1, 0]);
    expect(momentsOf(review([1]), 2)).toEqual([1]);
    expect(momentsOf(review([1]), null)).toEqual([1]);
  });
});
