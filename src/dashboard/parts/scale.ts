/** Round figures for the axes of charts, and steps of time that fit a span. */

const maxTicks = 5;

/** The end of an axis that holds `highest`, and its ticks from zero up. `whole`: only whole numbers. */
export function axisFor(highest: number, whole = true): { top: number; ticks: number[] } {
  if (highest === 0) return { top: 1, ticks: [0, 1] };
  const rough = Math.max(highest, whole ? 1 : 0.01) / (maxTicks - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((each) => each >= rough * 0.9999) ?? rough;
  const step = whole ? Math.max(1, Math.ceil(round)) : round;
  const count = Math.max(1, Math.ceil(highest / step - 1e-9));
  return { top: step * count, ticks: Array.from({ length: count + 1 }, (_, index) => index * step) };
}

const minute = 60;
const hour = 3600;
const day = 86_400;
const stepsSec = [
  5,
  10,
  30,
  minute,
  2 * minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
  7 * day,
];

export const minSteps = 8;
const maxSteps = 60;

/** The step by which a span is shown: the shortest that needs at most 60 bars. */
export const stepFor = (spanSec: number): number =>
  stepsSec.find((each) => spanSec / each <= maxSteps) ?? Math.ceil(spanSec / maxSteps / day) * day;
