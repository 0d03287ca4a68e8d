// What takes long is done one thing after another, each in a task of its own, so that a slow phone
// answers in between. What fails is reported, and keeps nothing else from its turn.
const waiting: (() => void)[] = [];

export const later = (show: () => void): unknown => waiting.push(show);

export async function takeOver(pause: () => Promise<unknown>): Promise<void> {
  await pause(); // until those are known
  for (let show = waiting.shift(); show; show = waiting.shift()) {
    try {
      show();
    } catch (error) {
      reportError(error);
    }
    await pause();
  }
}
