// Whether the table has to be the compact one: everything that is narrower or lower than a laptop.
const wide = matchMedia('(min-width: 1180px) and (min-height: 640px)');
let compact = $state(!wide.matches);
wide.addEventListener('change', () => {
  compact = !wide.matches;
});

export const screenSize = {
  get compact(): boolean {
    return compact;
  },
};
