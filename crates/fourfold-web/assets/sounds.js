// Soft sounds, made by the page itself. Off until somebody switches them on.

/** @type {AudioContext | undefined} */
let context;

/** Whether there are sounds; remembered. */
export const hush = {
  get on() {
    return localStorage.getItem("sound") === "on";
  },
  toggle() {
    localStorage.setItem("sound", this.on ? "off" : "on");
    if (this.on) sounds.drop();
  },
};

/**
 * A short tone that fades.
 * @param {number} pitch in Hz @param {number} [start] in seconds from now @param {number} [length] in seconds
 * @param {OscillatorType} [type] @param {number} [loud] from 0 to 1
 */
const tone = (pitch, start = 0, length = 0.12, type = "sine", loud = 0.12) => {
  if (!hush.on) return;
  context ??= new AudioContext();
  const from = context.currentTime + start;
  const [wave, volume] = [context.createOscillator(), context.createGain()];
  wave.type = type;
  wave.frequency.setValueAtTime(pitch, from);
  wave.frequency.exponentialRampToValueAtTime(pitch * 0.8, from + length);
  volume.gain.setValueAtTime(loud, from);
  volume.gain.exponentialRampToValueAtTime(0.001, from + length);
  wave.connect(volume).connect(context.destination);
  wave.start(from);
  wave.stop(from + length);
};

export const sounds = {
  /** A disc lands and bounces. */
  drop: () => {
    tone(190, 0.22, 0.09, "triangle", 0.2);
    tone(240, 0.31, 0.05, "triangle", 0.08);
  },
  win: () => [523, 659, 784, 1047].forEach((pitch, index) => tone(pitch, 0.4 + 0.09 * index, 0.3)),
  lose: () => [392, 330, 262].forEach((pitch, index) => tone(pitch, 0.4 + 0.14 * index, 0.3)),
  draw: () => [392, 392].forEach((pitch, index) => tone(pitch, 0.4 + 0.16 * index, 0.2)),
};
