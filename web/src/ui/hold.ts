// A long press, or the other button of a mouse, asks what something is.
const LONG = 480; // ms

export function held(ask: () => void) {
  return (element: HTMLElement) => {
    let timer = 0;
    let asked = false;
    let from: PointerEvent | null = null;
    const stop = () => clearTimeout(timer);
    const listeners = new AbortController();
    const on = <K extends keyof HTMLElementEventMap>(
      type: K,
      hear: (event: HTMLElementEventMap[K]) => void,
      capture = false,
    ) => element.addEventListener(type, hear, { signal: listeners.signal, capture });
    on('pointerdown', (event) => {
      asked = false;
      from = event;
      if (event.pointerType === 'mouse') return;
      timer = window.setTimeout(() => {
        asked = true;
        ask();
      }, LONG);
    });
    for (const type of ['pointerup', 'pointercancel', 'pointerleave'] as const) on(type, stop);
    on('pointermove', (event) => {
      if (from && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) > 6)
        stop();
    });
    on('contextmenu', (event) => {
      event.preventDefault();
      stop();
      if (!asked) ask();
      asked = event.pointerType !== 'mouse';
    });
    // What was held is not pressed.
    on(
      'click',
      (event) => {
        if (!asked) return;
        asked = false;
        event.preventDefault();
        event.stopImmediatePropagation();
      },
      true,
    );
    return () => {
      stop();
      listeners.abort();
    };
  };
}
