// Cards that move. Before the table changes every card's place is noted, afterwards each card that
// is somewhere else glides there from where it was. Cards have no identity: one that is gone here
// and one of the same kind (or back) that is new there are the same card. Only transforms are
// animated, so counts and places are right at every moment.

interface Place {
  zone: string;
  card: string; // 'M1', or '?1' for a back
  rect: DOMRect;
  element: HTMLElement;
}

const EASE = 'cubic-bezier(.2,.7,.2,1)';
const calm = matchMedia('(prefers-reduced-motion: reduce)');

function places(root: HTMLElement): Place[] {
  return [...root.querySelectorAll<HTMLElement>('[data-zone]')]
    .map((element) => ({
      zone: element.dataset.zone!,
      card: element.dataset.card!,
      rect: element.getBoundingClientRect(),
      element,
    }))
    .filter(({ rect }) => rect.width > 0);
}

function matches(gone: Place, come: Place): boolean {
  if (gone.card === come.card) return true;
  return (gone.card[0] === '?' || come.card[0] === '?') && gone.card[1] === come.card[1];
}

// Takes out of `from` the first place that fits.
function claim(from: Place[], fits: (place: Place) => boolean): Place | undefined {
  const at = from.findIndex(fits);
  return at < 0 ? undefined : from.splice(at, 1)[0];
}

// Asking every card for its animations would cost more than moving it.
const running = new Set<Animation>();

function run(
  element: HTMLElement,
  frames: Keyframe[],
  duration: number,
  easing = EASE,
): Promise<unknown> {
  const animation = element.animate(frames, { duration, easing });
  running.add(animation);
  // Cancelled by the next change, or done.
  return animation.finished.catch(() => {}).finally(() => running.delete(animation));
}

function glide(element: HTMLElement, from: DOMRect, to: DOMRect, duration: number): void {
  const x = from.x + from.width / 2 - to.x - to.width / 2;
  const y = from.y + from.height / 2 - to.y - to.height / 2;
  if (Math.abs(x) < 1 && Math.abs(y) < 1) return;
  const zoom = element.currentCSSZoom ?? 1; // what is zoomed moves further
  const scale = from.width / to.width;
  // Not among the keyframes: with a z-index there the whole animation would be drawn by the page
  // instead of the compositor.
  element.style.zIndex = '30';
  const frames = [
    { translate: `${x / zoom}px ${y / zoom}px`, scale: `${scale}` },
    { translate: '0 0', scale: '1' },
  ];
  void run(element, frames, duration).then(() => {
    if (![...running].some((one) => (one.effect as KeyframeEffect).target === element))
      element.style.zIndex = '';
  });
}

function fade(element: HTMLElement, duration: number): void {
  void run(element, [{ opacity: 0 }, { opacity: 1 }], duration, 'ease-out');
}

export class Motion {
  #root: HTMLElement;
  #before: Place[] = [];

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  // To be called before the table changes …
  note(): void {
    this.#before = places(this.#root);
  }

  // … and after, with how long a card may take.
  play(duration: number): void {
    if (duration === 0 || document.hidden) return;
    for (const one of running) one.cancel();
    running.clear();
    const gone = [...this.#before];
    const come: Place[] = [];
    const moves: [Place, DOMRect][] = [];
    for (const place of places(this.#root)) {
      const same = claim(gone, (old) => old.zone === place.zone && old.card === place.card);
      if (same) moves.push([place, same.rect]);
      else come.push(place);
    }
    if (calm.matches) {
      for (const place of come) fade(place.element, 120);
      return;
    }
    for (const place of come) {
      const old = claim(gone, (one) => matches(one, place));
      const source = old?.rect ?? this.#spot(place.zone.startsWith('hand') ? 'deck' : 'discard');
      if (source) moves.push([place, source]);
      else fade(place.element, duration);
    }
    for (const [place, from] of moves) glide(place.element, from, place.rect, duration);
    const pile = this.#spot('discard');
    if (pile)
      for (const place of gone)
        if (!place.zone.startsWith('choice')) this.#leave(place, pile, duration);
  }

  // Where the deck or the discard pile is shown.
  #spot(name: string): DOMRect | null {
    const element = document.querySelector<HTMLElement>(`[data-spot="${name}"]`);
    return element?.getClientRects().length ? element.getBoundingClientRect() : null;
  }

  // A card that is no longer on the table flies off as a copy.
  #leave(place: Place, to: DOMRect, duration: number): void {
    const copy = place.element.cloneNode(true) as HTMLElement;
    copy.removeAttribute('data-zone');
    copy.setAttribute('aria-hidden', 'true');
    copy.inert = true;
    Object.assign(copy.style, {
      position: 'fixed',
      left: `${place.rect.x}px`,
      top: `${place.rect.y}px`,
      margin: '0',
      zIndex: '30',
      pointerEvents: 'none',
    });
    this.#root.append(copy);
    const x = to.x + to.width / 2 - place.rect.x - place.rect.width / 2;
    const y = to.y + to.height / 2 - place.rect.y - place.rect.height / 2;
    copy
      .animate([{}, { translate: `${x}px ${y}px`, scale: '.4', opacity: 0 }], {
        duration,
        easing: EASE,
      })
      .finished.catch(() => {})
      .finally(() => copy.remove());
  }
}
