/** Converts sound from one sample rate to another, piece by piece. By hand, since the packages for it convert whole files or load native code. */
export type Resampler = {
  /** The converted sound as far as it is known: it ends a few milliseconds before the end of what came. */
  push(this: void, pcm: ArrayLike<number>): Int16Array;
  /** The rest. */
  end(this: void): Int16Array;
};

/** Zero crossings of the sinc on each side: more are more exact and cost more. */
const crossings = 12;
/** The share of the band that is kept; the rest is for the slope of the filter. */
const passband = 0.92;

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** Weights of a windowed sinc around each position that a new sample can have between two old ones. */
function filterOf(from: number, to: number): { weights: Float64Array[]; half: number } {
  const width = passband * Math.min(1, to / from);
  const half = Math.ceil(crossings / width);
  const positions = to / gcd(from, to);
  const weights = Array.from({ length: positions }, (_, position) => {
    const shift = position / positions;
    const own = Float64Array.from({ length: 2 * half }, (_entry, at) => {
      const x = at - half + 1 - shift;
      const sinc = x === 0 ? 1 : Math.sin(Math.PI * width * x) / (Math.PI * width * x);
      return Math.abs(x) >= half ? 0 : sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / half));
    });
    const sum = own.reduce((total, weight) => total + weight, 0);
    return own.map((weight) => weight / sum);
  });
  return { weights, half };
}

const filters = new Map<string, ReturnType<typeof filterOf>>();
/** A filter has up to 800 KB, and a service may name another rate each time. */
const maxFilters = 8;

function sharedFilter(from: number, to: number): ReturnType<typeof filterOf> {
  const key = `${from} ${to}`;
  const known = filters.get(key) ?? filterOf(from, to);
  if (!filters.has(key) && filters.size >= maxFilters) filters.delete(filters.keys().next().value!);
  filters.set(key, known);
  return known;
}

const clip = (value: number): number => Math.max(-32_768, Math.min(32_767, Math.round(value)));

/** Two sums at once, because each addition waits for the one before. There is an even number of weights. */
function weighted(weights: Float64Array, old: Float64Array, first: number): number {
  let [even, odd] = [0, 0];
  for (let at = 0; at < weights.length; at += 2) {
    even += weights[at]! * old[first + at]!;
    odd += weights[at + 1]! * old[first + at + 1]!;
  }
  return even + odd;
}

/** Rates in samples a second. */
export function resampler(from: number, to: number): Resampler {
  const { weights, half } = sharedFilter(from, to);
  const step = from / gcd(from, to);
  /** Old samples that new ones still need, silence before the first. */
  let kept = new Float64Array(half - 1);
  /** The next new sample lies at `kept[whole]` and `position` parts after it. */
  let whole = half - 1;
  let position = 0;

  function push(pcm: ArrayLike<number>): Int16Array {
    const old = new Float64Array(kept.length + pcm.length);
    old.set(kept);
    old.set(pcm, kept.length);
    const positions = weights.length;
    const made = new Int16Array(Math.ceil(((pcm.length + 1) * positions) / step) + 1);
    let count = 0;
    for (; whole + half < old.length; count += 1) {
      made[count] = clip(weighted(weights[position]!, old, whole - half + 1));
      position += step;
      whole += Math.floor(position / positions);
      position %= positions;
    }
    const done = Math.min(whole - half + 1, old.length);
    kept = old.slice(done);
    whole -= done;
    return made.subarray(0, count);
  }

  return { push, end: () => push(new Int16Array(half)) };
}

/** Converts a whole sound. */
export function resample(pcm: Int16Array, from: number, to: number): Int16Array {
  if (from === to) return pcm;
  const { push, end } = resampler(from, to);
  return Int16Array.from([...push(pcm), ...end()]);
}
