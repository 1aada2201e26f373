type SparkProps = {
  values: ReadonlyArray<number | null>;
  /** The same of the span before. */
  then?: ReadonlyArray<number | null>;
};

/** A small line under a figure; what it says in words stands above it. */
export function Spark({ values, then = [] }: SparkProps) {
  const highest = Math.max(1e-9, ...[...values, ...then].map((value) => value ?? 0));
  const span = Math.max(values.length, then.length, 2) - 1;
  const y = (value: number): number => Math.round((38 - (value / highest) * 34) * 10) / 10;
  const lineOf = (series: ReadonlyArray<number | null>): string =>
    series
      .flatMap((value, index) => (value === null ? [] : [`${Math.round((index / span) * 1000) / 10} ${y(value)}`]))
      .map((point, index) => (index === 0 ? 'M' : 'L') + point)
      .join('');
  const line = lineOf(values);
  const known = values.flatMap((value, index) => (value === null ? [] : [Math.round((index / span) * 1000) / 10]));
  return (
    <svg class="spark" viewBox="0 0 100 40" preserveAspectRatio="none" aria-hidden="true">
      {then.length > 0 && <path class="then" d={lineOf(then)} />}
      {line !== '' && <path class="area" d={`${line}L${known.at(-1)} 40L${known[0]} 40z`} />}
      <path d={line} />
    </svg>
  );
}
