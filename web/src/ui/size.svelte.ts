// The layout that the table has now.
import { type Layout, type Size, sizeOf } from './size';

function measure(): Size {
  const letters = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  return sizeOf(innerWidth, innerHeight, letters);
}

let size = $state.raw(measure());
addEventListener('resize', () => {
  size = measure();
});

// What the styles of a layout distinguish.
const HEIGHTS = [880, 800, 760, 700];
const WIDTHS = [1560, 1400, 374];

export const screenSize = {
  get layout(): Layout {
    return size.layout;
  },
  // No rail beside the table.
  get compact(): boolean {
    return size.layout !== 'wide';
  },
  get width(): number {
    return size.width;
  },
  get height(): number {
    return size.height;
  },
  // For the element that holds bar and table. What is taken up by more than there usually is leaves
  // a lower window for the rest.
  frame(taken: number): { class: string[]; style: string } {
    const { layout, zoom, width } = size;
    const height = size.height - taken;
    return {
      class: [
        'frame',
        { phone: 'phone', side: 'phone side', tablet: 'tablet', wide: 'tablepage' }[layout],
        ...HEIGHTS.filter((most) => height <= most).map((most) => `h${most}`),
        ...WIDTHS.filter((most) => width <= most).map((most) => `w${most}`),
      ],
      style: zoom === 1 ? '' : `--frame:${zoom.toFixed(4)}`,
    };
  },
};
