import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export type Series = {
  name: string;
  /** Chooses the colour. */
  tone: 'good' | 'warn' | 'bad' | 'live' | 'plain';
};

type ChartProps = {
  caption: string;
  series: readonly Series[];
  /** A bar each; `values` in the order of the series. */
  bars: ReadonlyArray<{ key: string; values: readonly number[] }>;
  /** A table of the same figures: the drawing says nothing to a screen reader. */
  children: ComponentChildren;
};

const size = { width: 600, height: 120 };
/** Room for this many bars at least, so that a single one is not a wall. */
const minBars = 16;

/** Stacked bars. */
export function Chart({ caption, series, bars, children }: ChartProps) {
  const id = useId();
  const highest = Math.max(1, ...bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0)));
  const step = size.width / Math.max(bars.length, minBars);
  return (
    <figure aria-labelledby={id}>
      <figcaption id={id}>{caption}</figcaption>
      <p class="legend" aria-hidden="true">
        {series.map(({ name, tone }) => (
          <span key={name} class={`status ${tone}`}>
            {name}
          </span>
        ))}
      </p>
      {bars.length > 0 && (
        <svg viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none" aria-hidden="true" class="chart">
          {bars.map(({ key, values }, index) => {
            let top = size.height;
            return values.map((value, at) => {
              const height = (value / highest) * size.height;
              top -= height;
              return value === 0 ? null : (
                <rect
                  key={`${key} ${series[at]!.name}`}
                  class={series[at]!.tone}
                  x={index * step + step * 0.1}
                  y={top}
                  width={step * 0.8}
                  height={height}
                />
              );
            });
          })}
        </svg>
      )}
      {children}
    </figure>
  );
}
