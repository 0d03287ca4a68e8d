// Dragging a card to one's own play area chooses it as a tap does: a shortcut that nobody needs.
// Escape, or letting go anywhere else, leaves all as it was. A finger drags only upwards, and only
// where nothing can be scrolled that way.
import '../styles/drag.css';

const AREA = '.own, .lanes';
const SLOP = 8; // px that a press may wander

interface Point {
  clientX: number;
  clientY: number;
}

function scrollsDown(element: Element | null): boolean {
  if (!element) return false;
  const { overflowY } = getComputedStyle(element);
  const free = element.scrollHeight - element.clientHeight - element.scrollTop;
  const scrolls = /auto|scroll/.test(overflowY) || element === document.scrollingElement;
  return (scrolls && free > 1) || scrollsDown(element.parentElement);
}

// What is seen under the pointer: a copy, for a card may be cut off by what it lies in.
class Shadow {
  readonly #element = document.createElement('div');
  readonly #area = document.querySelector(AREA);
  readonly #dx: number;
  readonly #dy: number;
  readonly #scale: number;

  constructor(
    readonly card: HTMLElement,
    from: Point,
  ) {
    const { left, top, width } = card.getBoundingClientRect();
    this.#dx = left - from.clientX;
    this.#dy = top - from.clientY;
    this.#scale = width / card.offsetWidth;
    const copy = card.cloneNode(true) as HTMLElement;
    for (const name of ['data-zone', 'data-card', 'aria-pressed']) copy.removeAttribute(name);
    this.#element.className = 'dragging';
    this.#element.inert = true;
    this.#element.append(copy);
    document.body.append(this.#element);
    card.classList.add('lifted');
    this.#area?.classList.add('drop');
    this.move(from);
  }

  move(to: Point): void {
    const [x, y] = [to.clientX + this.#dx, to.clientY + this.#dy];
    this.#element.style.transform = `translate(${x}px, ${y}px) scale(${this.#scale})`;
    this.#area?.classList.toggle('over', this.isOver(to));
  }

  isOver(point: Point): boolean {
    const under = document.elementFromPoint(point.clientX, point.clientY);
    return !!under?.closest(AREA);
  }

  remove(): void {
    this.#element.remove();
    this.card.classList.remove('lifted');
    this.#area?.classList.remove('drop', 'over');
  }
}

// The click that the browser makes of a pointer that is let go comes at once, if at all; by then
// the card may not be one to be dragged any more.
function swallowClick(): void {
  const quiet = (event: Event) => event.stopImmediatePropagation();
  addEventListener('click', quiet, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', quiet, true));
}

export function dragged(drop: () => void) {
  return (card: HTMLElement) => {
    let from: PointerEvent | null = null; // pressed
    let shadow: Shadow | null = null; // and moved
    let moved = false; // what was dragged is not pressed
    const listeners = new AbortController();
    const on = <K extends keyof HTMLElementEventMap>(
      type: K,
      hear: (event: HTMLElementEventMap[K]) => void,
    ) => card.addEventListener(type, hear, { signal: listeners.signal, passive: false });

    function stop() {
      shadow?.remove();
      from = shadow = null;
      removeEventListener('keydown', cancel, true);
    }
    function cancel(event: KeyboardEvent) {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      stop();
    }
    function lift(at: Point) {
      shadow = new Shadow(card, from!);
      shadow.move(at);
      addEventListener('keydown', cancel, true);
      moved = true;
    }

    on('pointerdown', (event) => {
      if (!event.isPrimary || event.button !== 0) return;
      from = event;
      moved = false;
      if (event.pointerType === 'mouse') card.setPointerCapture(event.pointerId);
    });
    on('pointermove', (event) => {
      if (!from || event.pointerId !== from.pointerId) return;
      const far = Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) > SLOP;
      if (shadow) shadow.move(event);
      else if (far && event.pointerType === 'mouse') lift(event);
    });
    // The browser scrolls unless it is kept from it at the first move.
    on('touchmove', (event) => {
      const [touch] = event.touches;
      if (shadow) event.preventDefault();
      if (shadow || !from) return;
      const [dx, dy] = [touch.clientX - from.clientX, touch.clientY - from.clientY];
      if (event.touches.length > 1 || -dy < Math.abs(dx) || scrollsDown(card)) from = null;
      else if (-dy > SLOP && event.cancelable) {
        event.preventDefault();
        lift(touch);
      }
    });
    on('pointerup', (event) => {
      const chosen = shadow?.isOver(event);
      stop();
      if (moved) swallowClick();
      if (chosen) drop();
    });
    on('pointercancel', stop);
    return () => {
      listeners.abort();
      stop();
    };
  };
}
