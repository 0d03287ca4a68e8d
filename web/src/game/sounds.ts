// Small sounds, made on the spot: a card put down, one's turn, the end of a game. Silent unless the
// player wants them.
import { settings } from './settings.svelte';

const TUNES = { card: [330], turn: [523, 659], won: [523, 659, 784, 1047], lost: [392, 330] };
const LENGTH = 0.12; // of a note, in seconds

let context: AudioContext | null = null;

export function sound(name: keyof typeof TUNES): void {
  if (!settings.sounds) return;
  context ??= new AudioContext();
  for (const [i, pitch] of TUNES[name].entries()) {
    const begin = context.currentTime + i * LENGTH;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = 'triangle';
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + 2 * LENGTH);
    tone.connect(volume).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + 2 * LENGTH);
  }
}
