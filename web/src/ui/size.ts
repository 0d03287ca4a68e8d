// Which of the layouts the table has, and how much it is enlarged. Both follow from the window and
// from the size of letters that the reader has set: who reads at 200 % has a window of half the
// size with everything twice as large.

export type Layout = 'phone' | 'side' | 'tablet' | 'wide';

export interface Size {
  layout: Layout;
  zoom: number;
  width: number; // what the layout has, in its own pixels
  height: number;
}

// The least that a phone's layout needs.
const LEAST_WIDTH = 320;
// From here on there is room for larger cards instead of more table.
const LARGE = { wide: [1440, 900], tablet: [834, 1194] } as const;
const NARROWEST_WIDE = 1180;

export function sizeOf(width: number, height: number, letters = 1): Size {
  const reader = Math.max(1, Math.min(letters, width / LEAST_WIDTH));
  const [w, h] = [width / reader, height / reader];
  const layout: Layout =
    w >= 700 && h >= 900 && h > w
      ? 'tablet'
      : w >= 1000 && h >= 600
        ? 'wide'
        : w > h && h < 600
          ? 'side'
          : 'phone';
  let zoom = reader;
  if (layout === 'wide' || layout === 'tablet') {
    const [lw, lh] = LARGE[layout];
    zoom *= Math.max(1, Math.min(w / lw, h / lh));
  }
  if (layout === 'wide') zoom *= Math.min(1, w / NARROWEST_WIDE);
  return { layout, zoom, width: width / zoom, height: height / zoom };
}
