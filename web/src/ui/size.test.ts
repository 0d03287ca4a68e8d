import { describe, expect, test } from 'vitest';
import { sizeOf } from './size';

describe('the layout', () => {
  test.each([
    [320, 568, 'phone'],
    [390, 844, 'phone'],
    [430, 932, 'phone'],
    [844, 390, 'side'],
    [640, 360, 'side'],
    [744, 1133, 'tablet'],
    [820, 1180, 'tablet'],
    [1024, 1366, 'tablet'],
    [1024, 768, 'wide'],
    [1280, 720, 'wide'],
    [2560, 1440, 'wide'],
  ])('of %i×%i is %s', (width, height, layout) => {
    expect(sizeOf(width, height).layout).toBe(layout);
  });

  test('leaves common screens as they are, and enlarges the table on large ones', () => {
    for (const [width, height] of [
      [390, 844],
      [820, 1180],
      [1280, 720],
      [1440, 900],
    ])
      expect(sizeOf(width, height)).toMatchObject({ zoom: 1, width, height });
    expect(sizeOf(2560, 1440)).toMatchObject({ zoom: 1.6, width: 1600, height: 900 });
    expect(sizeOf(1920, 1080)).toMatchObject({ zoom: 1.2, width: 1600, height: 900 });
    expect(sizeOf(1024, 768)).toMatchObject({ width: 1180 });
  });

  test('follows the size of letters as it follows the window', () => {
    expect(sizeOf(1440, 900, 2)).toEqual({ layout: 'side', zoom: 2, width: 720, height: 450 });
    expect(sizeOf(390, 844, 1.2)).toMatchObject({ layout: 'phone', zoom: 1.2, width: 325 });
    // Never narrower than what a phone's layout needs.
    expect(sizeOf(390, 844, 2).width).toBe(320);
  });
});
