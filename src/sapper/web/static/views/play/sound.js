// Sounds: short tones made on the spot, no files. Off until the settings ask for them, and silent
// where the system asks for less motion.

import { isCalm, setting } from "../../lib/settings.js";

// Tones of a sound: when it begins and how long it lasts (seconds), from one pitch to another (hertz).
const SOUNDS = {
  open: [[0, 0.05, 520, 620]],
  area: [[0, 0.06, 420, 520], [0.04, 0.08, 560, 760]],
  flag: [[0, 0.06, 320, 260]],
  unflag: [[0, 0.06, 260, 320]],
  lost: [[0, 0.35, 180, 45], [0, 0.2, 95, 40]],
  won: [[0, 0.14, 523, 523], [0.12, 0.14, 659, 659], [0.24, 0.3, 784, 784]],
};
const LOUDNESS = 0.08;

let context = null;

/** Let one of SOUNDS be heard, if sounds are wanted. */
export function sound(name) {
  if (!setting("sound") || isCalm()) return;
  // Made at the first sound: a browser lets a page sound only once somebody has touched it.
  context ??= new AudioContext();
  for (const tone of SOUNDS[name]) play(tone);
}

function play([begins, lasts, from, to]) {
  const start = context.currentTime + begins;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(from, start);
  tone.frequency.exponentialRampToValueAtTime(to, start + lasts);
  volume.gain.setValueAtTime(LOUDNESS, start);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + lasts);
  tone.connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + lasts);
}
