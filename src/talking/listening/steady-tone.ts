/** Finds steady tones, such as the one after which a mailbox records. */
export type SteadyTone = {
  /** Takes the next 20 ms. @returns whether a tone has lasted for 120 ms and still lasts */
  isTone(frame: Int16Array): boolean;
};

const sampleRate = 8000;
/** Every 10 ms the last 20 ms are looked at. */
const windowSamples = 160;
const hopSamples = 80;
/** Windows that lie wholly in 120 ms, wherever those begin. */
const minWindows = 10;
const [minHertz, maxHertz] = [400, 2500];
/** How exactly an estimate hits a tone at the edge of the range, and in noise. */
const toleranceHertz = 15;
/** A tone that wanders further is a voice. */
const maxDriftHertz = 12;
const maxDriftDb = 4;
/** A tone of less than 30 steps of a 16-bit sample (-61 dB of full scale) is no signal to anybody. */
const minEnergy = (windowSamples * 30 ** 2) / 2;
/** Of the energy of a window, the share that is one tone. */
const minShare = 0.85;

/** A Hann window, which keeps neighbouring frequencies apart, and the factor by which a pure tone has the share 1. */
const shape = Float64Array.from(
  { length: windowSamples },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 0.5)) / windowSamples),
);
const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);
const shapeFactor = (2 * sumOf(shape.map((value) => value * value))) / sumOf(shape) ** 2;

/** The power of a resonator of this coefficient after the last sample (Goertzel). */
const powerOf = (coefficient: number, last: number, before: number): number =>
  last * last + before * before - coefficient * last * before;

const coefficientOf = (hertz: number): number => 2 * Math.cos((2 * Math.PI * hertz) / sampleRate);

/** The share of the energy of `shaped` that is a tone of this frequency. */
function shareAt(hertz: number, shaped: Float64Array, energy: number): number {
  const coefficient = coefficientOf(hertz);
  let [before, last] = [0, 0];
  for (let at = 0; at < windowSamples; at += 1) {
    const next = shaped[at]! + coefficient * last - before;
    before = last;
    last = next;
  }
  return (shapeFactor * powerOf(coefficient, last, before)) / energy;
}

/** The better one of two frequencies. Both at once take as long as one, because each sample waits for the one before. */
function betterOf(lower: number, higher: number, shaped: Float64Array, energy: number): Peak {
  const [lowCoefficient, highCoefficient] = [coefficientOf(lower), coefficientOf(higher)];
  let [lowBefore, lowLast, highBefore, highLast] = [0, 0, 0, 0];
  for (let at = 0; at < windowSamples; at += 1) {
    const sample = shaped[at]!;
    const low = sample + lowCoefficient * lowLast - lowBefore;
    lowBefore = lowLast;
    lowLast = low;
    const high = sample + highCoefficient * highLast - highBefore;
    highBefore = highLast;
    highLast = high;
  }
  const lowPower = powerOf(lowCoefficient, lowLast, lowBefore);
  const highPower = powerOf(highCoefficient, highLast, highBefore);
  const hertz = lowPower > highPower ? lower : higher;
  return { hertz, share: (shapeFactor * Math.max(lowPower, highPower)) / energy };
}

type Tone = { hertz: number; db: number };

/** Two harmonics of a voice can fit one sinusoid at short lags, but not at this one as well, in samples. */
const farLag = 24;
const maxMisfit = 0.35;

/** The sum of the products of samples that are `lag` apart. Four sums at once, because each addition waits for the one before. */
function correlation(pcm: Float64Array, from: number, lag: number): number {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  for (let at = from + farLag; at < from + windowSamples; at += 4) {
    first += pcm[at]! * pcm[at - lag]!;
    second += pcm[at + 1]! * pcm[at + 1 - lag]!;
    third += pcm[at + 2]! * pcm[at + 2 - lag]!;
    fourth += pcm[at + 3]! * pcm[at + 3 - lag]!;
  }
  return first + second + third + fourth;
}

/**
 * The frequency of the sinusoid in white noise that fits the autocorrelation (Pisarenko), or undefined where none fits. This is all that is
 * done for speech and silence.
 */
function fittedHertz(pcm: Float64Array, from: number): number | undefined {
  const own = correlation(pcm, from, 0);
  if (own < minEnergy) return undefined;
  const next = correlation(pcm, from, 1);
  const second = correlation(pcm, from, 2);
  const root = Math.sqrt(second * second + 8 * next * next);
  const cosine = next === 0 ? 0 : (second + root) / (4 * next);
  if (Math.abs(cosine) >= 1) return undefined;
  const cosineOfDouble = 2 * cosine * cosine - 1;
  const power = next * cosine + second * cosineOfDouble;
  const share = power / (cosine * cosine + cosineOfDouble ** 2) / own;
  if (share <= 0.7) return undefined;
  const angle = Math.acos(cosine);
  const misfit = correlation(pcm, from, farLag) / own - share * Math.cos(farLag * angle);
  return Math.abs(misfit) < maxMisfit ? (angle * sampleRate) / (2 * Math.PI) : undefined;
}

const stepHertz = 20;
const maxSteps = 5;
/** Half a step from its peak, the share is at least nine tenths of that. */
const hopelessShare = 0.9 * minShare;

/** Noise moves the fitted frequency towards the middle of the band, so the best share is looked for around it. */
function toneIn(shaped: Float64Array): Tone | undefined {
  const fitted = fittedHertz(shaped, 0);
  if (fitted === undefined) return undefined;
  let energy = 0;
  for (const sample of shaped) energy += sample * sample;
  const db = 10 * Math.log10(energy / windowSamples);
  let best = { hertz: fitted, share: shareAt(fitted, shaped, energy) };
  for (let step = stepHertz; step >= 2.5; step /= 2) {
    best = climb(best, step, shaped, energy);
    if (best.share < hopelessShare) return undefined;
  }
  const isInRange = best.hertz > minHertz - toleranceHertz && best.hertz < maxHertz + toleranceHertz;
  return best.share >= minShare && isInRange ? { hertz: best.hertz, db } : undefined;
}

type Peak = { hertz: number; share: number };

/** Follows the share upwards, for as long as it rises, in steps. */
function climb(from: Peak, step: number, shaped: Float64Array, energy: number): Peak {
  let best = from;
  let next = betterOf(from.hertz - step, from.hertz + step, shaped, energy);
  const direction = next.hertz - from.hertz;
  for (let steps = 1; next.share > best.share; steps += 1) {
    best = next;
    if (steps === maxSteps) break;
    const hertz = best.hertz + direction;
    next = { hertz, share: shareAt(hertz, shaped, energy) };
  }
  return best;
}

export function createSteadyTone(): SteadyTone {
  /** The last 10 ms before the next frame, and the frame. */
  const heard = new Float64Array(hopSamples + windowSamples);
  const shaped = new Float64Array(windowSamples);
  let first: Tone | undefined;
  let windows = 0;

  function look(at: number): void {
    for (let index = 0; index < windowSamples; index += 1) shaped[index] = heard[at + index]! * shape[index]!;
    const tone = toneIn(shaped);
    const continues =
      tone !== undefined &&
      first !== undefined &&
      Math.abs(tone.hertz - first.hertz) <= maxDriftHertz &&
      Math.abs(tone.db - first.db) <= maxDriftDb;
    windows = continues ? windows + 1 : tone === undefined ? 0 : 1;
    if (!continues) first = tone;
  }

  return {
    isTone(frame) {
      heard.copyWithin(0, windowSamples);
      heard.set(frame, hopSamples);
      if (windows === 0 && fittedHertz(heard, hopSamples) === undefined) return false;
      look(0);
      look(hopSamples);
      return windows >= minWindows;
    },
  };
}
