import type { Kind } from './chart.tsx';

export type Part = { kind: Kind | 'waiting'; value: number };

/** Shares of a whole as one bar; the words beside it say the same. Not stretched, so that the patterns of forced colours keep their shapes. */
export function ShareBar({ parts, tall = false }: { parts: readonly Part[]; tall?: boolean }) {
  const whole = parts.reduce((sum, { value }) => sum + value, 0);
  let from = 0;
  return (
    <svg class={tall ? 'bar tall' : 'bar'} aria-hidden="true">
      {whole === 0 && <rect class="waiting" width="100%" height="100%" />}
      {parts.map(({ kind, value }) => {
        const [x, width] = [from, whole === 0 ? 0 : (value / whole) * 100];
        from += width;
        return width === 0 ? null : <rect key={kind} class={kind} x={`${x}%`} width={`${width}%`} height="100%" />;
      })}
    </svg>
  );
}
