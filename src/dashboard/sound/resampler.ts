/** Samples of 8 kHz that a sample is made of, on either side. */
const reach = 12;
const stepsPerSample = 64;
/** 3.6 kHz of the 4 that 8 kHz can carry. */
const cutoff = 0.45;

/** A sinc under a Blackman window, by distance in samples of 8 kHz. */
const kernel = Float32Array.from({ length: reach * stepsPerSample + 2 }, (_, step) => {
  const x = step / stepsPerSample;
  if (x >= reach) return 0;
  const angle = (Math.PI * x) / reach;
  const window = 0.42 + 0.5 * Math.cos(angle) + 0.08 * Math.cos(2 * angle);
  return window * (x === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * x) / (Math.PI * x));
});

function weightAt(distance: number): number {
  const step = Math.abs(distance) * stepsPerSample;
  const below = Math.floor(step);
  return kernel[below]! + (kernel[below + 1]! - kernel[below]!) * (step - below);
}

const telephoneRate = 8000;

/** Converts a stream between 8 kHz and a higher rate, part by part. It delays by 1.5 ms. */
export function createResampler(fromRate: number, toRate: number): (part: Float32Array) => Float32Array {
  const unit = telephoneRate / fromRate;
  const width = reach / unit;
  const step = fromRate / toRate;
  let samples = new Float32Array(Math.ceil(width));
  /** The place of the next sample of the result in `samples`. */
  let at = width;
  return (part) => {
    const all = new Float32Array(samples.length + part.length);
    all.set(samples);
    all.set(part, samples.length);
    const made: number[] = [];
    for (; at + width < all.length; at += step) {
      let sum = 0;
      const last = Math.floor(at + width);
      for (let index = Math.ceil(at - width); index <= last; index++)
        sum += all[index]! * weightAt((at - index) * unit);
      made.push(sum * unit);
    }
    const done = Math.max(0, Math.floor(at - width));
    samples = all.subarray(done);
    at -= done;
    return Float32Array.from(made);
  };
}
