import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { hasKeyboard, isNarrow } from '../state/screen.ts';
import { common } from '../text/en.ts';
import { number } from '../text/plural.ts';
import { axisFor, minSteps } from './scale.ts';
import { type Column, Table } from './table.tsx';

/** The kind of a series chooses its colour, and its pattern in forced colours and in print. */
export type Kind = 'goal' | 'answered' | 'voicemail' | 'noanswer' | 'busy' | 'failed' | 'expected' | 'line' | 'line b';

export type Series = { name: string; kind: Kind };

export type Step = {
  key: string;
  /** On the axis. */
  label: string;
  /** Heads the reading, and the row of the table. */
  title: string;
  /** In the order of the series; null where there is nothing to say. */
  values: ReadonlyArray<number | null>;
  /** The whole of the span before, or the room that there is. */
  ghost?: number;
  isNow?: boolean;
};

/** A line by a scale of its own, on the right; `at` from 0 to 1 along the axis. */
export type Drain = { name: string; points: ReadonlyArray<{ at: number; value: number }> };

type ChartProps = {
  name: string;
  series: readonly Series[];
  steps: readonly Step[];
  /** What the dashed bars are. */
  ghost?: string;
  drain?: Drain | undefined;
  /** Names the steps in the table. */
  stepName: string;
  /** Places on the axis, if there are fewer steps: a few bars are not as wide as walls. */
  least?: number;
  format?(value: number): string;
  /** Bars on top of each other, or a line for each series. */
  as?: 'bars' | 'lines';
  /** The most labels that the axis may have; narrow screens have fewer. */
  labels?: number;
  /** Adds up each series in the legend. */
  totals?: boolean;
  /** Nothing to press or to read with keys, as on a wall. */
  still?: boolean;
  /** Beside the name. */
  beside?: ComponentChildren;
  children?: ComponentChildren;
};

const maxShownTable = 60;
const maxLabels = 13;

/** How many labels an axis has room for. Hours with seconds, or with a day, are twice as wide as others. */
function roomForLabels(steps: readonly Step[], labels: number): number {
  const areWide = steps.some(({ label }) => label.length > 6);
  if (isNarrow.value) return Math.min(areWide ? 3 : 6, Math.ceil(labels / 2));
  return areWide ? Math.ceil(labels * 0.7) : labels;
}

type FigureProps<R> = {
  name: string;
  /** Beside the name. */
  beside?: ComponentChildren;
  /** Nothing to press. */
  still?: boolean;
  /** The numbers that are drawn, as a table. Where it is very long it is there only while it is open. */
  figures: { rows: readonly R[]; rowKey(row: R): string; columns: ReadonlyArray<Column<R>> };
  children: ComponentChildren;
};

/** A picture with its name, and the button “Figures”, which opens the table of the same numbers; screen readers have that at all times. */
export function Figure<R>({ name, beside, still = false, figures, children }: FigureProps<R>) {
  const id = useId();
  const isOpen = useSignal(false);
  const shows = isOpen.value || figures.rows.length <= maxShownTable;
  return (
    <figure aria-labelledby={id}>
      <div class="panel-head">
        <figcaption id={id}>{name}</figcaption>
        <span class="actions">
          {beside}
          {!still && (
            <button
              type="button"
              class="tiny bare"
              aria-expanded={isOpen.value}
              onClick={() => void (isOpen.value = !isOpen.value)}
            >
              {common.figures}
            </button>
          )}
        </span>
      </div>
      {children}
      {shows && (
        <div class={isOpen.value ? 'bleed' : 'visually-hidden print-table'}>
          <Table caption={name} stacks={false} scrolls={isOpen.value} {...figures} />
        </div>
      )}
    </figure>
  );
}

/** A figure over time: a drawing with axes, a reading under pointer and arrow keys, and a table of the same numbers. */
export function Chart(props: ChartProps) {
  const { name, beside, children, still = false } = props;
  return (
    <Figure name={name} beside={beside} still={still} figures={figuresOf(props)}>
      <Drawing {...props} />
      <Legend {...props} />
      {children}
    </Figure>
  );
}

function figuresOf({ steps, series, ghost, stepName, format = number }: ChartProps): FigureProps<Step>['figures'] {
  const cell = (value: number | null | undefined): string =>
    value === null || value === undefined ? common.none : format(value);
  return {
    rows: steps,
    rowKey: ({ key }) => key,
    columns: [
      { name: stepName, cell: ({ title }) => title, whole: true },
      ...series.map((each, index) => ({
        name: each.name,
        cell: ({ values }: Step) => cell(values[index]),
        numeric: true,
      })),
      ...(ghost === undefined ? [] : [{ name: ghost, cell: (step: Step) => cell(step.ghost), numeric: true }]),
    ],
  };
}

const sum = (values: ReadonlyArray<number | null>): number =>
  values.reduce<number>((all, value) => all + (value ?? 0), 0);

function Drawing(props: ChartProps) {
  const {
    name,
    steps,
    series,
    drain,
    as = 'bars',
    format = number,
    ghost,
    still = false,
    least = minSteps,
    labels = maxLabels,
  } = props;
  const at = useSignal<number | undefined>(undefined);
  const highest = Math.max(
    0,
    ...steps.map((step) => (as === 'bars' ? sum(step.values) : Math.max(0, ...step.values.map((value) => value ?? 0)))),
    ...steps.map((step) => step.ghost ?? 0),
  );
  const { top, ticks } = axisFor(highest, format === number);
  const right = drain && axisFor(Math.max(0, ...drain.points.map(({ value }) => value)));
  const room = Math.max(steps.length, least);
  const every = Math.ceil(room / roomForLabels(steps, labels));
  return (
    <div class="chart">
      <div class="y" aria-hidden="true">
        {ticks.toReversed().map((tick) => (
          <span key={tick}>{format(tick)}</span>
        ))}
      </div>
      <Area {...{ name, steps, series, ghost, at, format, room, still }}>
        <svg class="plot" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {ticks.map((tick) => (
            <path key={tick} class={tick === 0 ? 'base' : 'rule'} d={`M0 ${100 - (tick / top) * 100}H100`} />
          ))}
          <path class="ghost" d={ghostPath(steps, room, top)} />
          {as === 'bars'
            ? series.map(({ kind }, index) => (
                <path key={kind} class={`bar-part ${kind}`} d={barsPath(steps, room, index, top)} />
              ))
            : series.map(({ kind }, index) => (
                <path key={kind} class={`s-${kind}`} d={linePath(steps, room, index, top)} />
              ))}
          {drain && right && <path class="s-line" d={drainPath(drain, right.top)} />}
          {at.value !== undefined && <path class="cross" d={`M${middle(at.value, room)} 0V100`} />}
        </svg>
      </Area>
      {right && (
        <div class="y right" aria-hidden="true">
          {right.ticks.toReversed().map((tick) => (
            <span key={tick}>{number(tick)}</span>
          ))}
        </div>
      )}
      <div class="x" aria-hidden="true">
        {steps.map(({ key, label, isNow = false }, index) => (
          <span key={key} class={isNow ? 'now' : undefined}>
            {index % every === 0 ? label : ''}
          </span>
        ))}
        {Array.from({ length: room - steps.length }, (_, index) => (
          <span key={index} />
        ))}
      </div>
    </div>
  );
}

type At = { value: number | undefined };
type AreaProps = Pick<ChartProps, 'name' | 'steps' | 'series'> & {
  ghost: string | undefined;
  at: At;
  still: boolean;
  /** For this many steps there is room. */
  room: number;
  format: (value: number) => string;
  children: ComponentChildren;
};

/** Follows pointer and arrow keys, and shows the figures of the step that they are at. */
function Area({ name, steps, series, ghost, at, room, still, format, children }: AreaProps) {
  const last = steps.length - 1;
  const present = steps.findIndex(({ isNow }) => isNow);
  const onKey = (event: KeyboardEvent): void => {
    const here = at.value ?? (present === -1 ? 0 : present);
    const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: last }[event.key];
    if (event.key === 'Escape') at.value = undefined;
    if (to === undefined) return;
    event.preventDefault();
    at.value = at.value === undefined && to !== 0 && to !== last ? here : Math.min(Math.max(to, 0), last);
  };
  const onMove = (event: PointerEvent): void => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    at.value = Math.min(last, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * room)));
  };
  const step = at.value === undefined ? undefined : steps[at.value];
  const unread = hasKeyboard ? common.noReading.keys : common.noReading.touch;
  const lines = step ? readingOf(step, series, ghost, format) : [];
  if (steps.length === 0 || still) return <div class="area">{children}</div>;
  return (
    <div
      class="area"
      tabIndex={0}
      role="slider"
      aria-label={common.readingOf(name)}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={at.value ?? Math.max(present, 0)}
      aria-valuetext={step ? `${step.title}: ${lines.map((pair) => pair.join(' ')).join(', ')}` : unread}
      onKeyDown={onKey}
      onPointerMove={onMove}
      onPointerDown={onMove}
      onPointerLeave={() => void (at.value = undefined)}
      onBlur={() => void (at.value = undefined)}
    >
      {children}
      {step && <Tip title={step.title} lines={lines} at={(at.value! + 0.5) / room} />}
    </div>
  );
}

const readingOf = (
  { values, ghost }: Step,
  series: readonly Series[],
  ghostName: string | undefined,
  format: (value: number) => string,
): Array<readonly [string, string]> => [
  ...series.flatMap(({ name }, index): Array<readonly [string, string]> => {
    const value = values[index];
    return value === null || value === undefined ? [] : [[name, format(value)]];
  }),
  ...(ghostName === undefined || ghost === undefined ? [] : [[ghostName, format(ghost)] as const]),
];

type TipProps = { title: string; lines: ReadonlyArray<readonly [string, string]>; at: number };

/** Stands on the side of the reading that has more room. */
function Tip({ title, lines, at }: TipProps) {
  const place = at < 0.5 ? { insetInlineStart: `${at * 100 + 2}%` } : { insetInlineEnd: `${(1 - at) * 100 + 2}%` };
  return (
    <div class="tip" aria-hidden="true" style={place}>
      <b>{title}</b>
      {lines.flatMap(([name, value]) => [<span key={name}>{name}</span>, <span key={`${name} value`}>{value}</span>])}
    </div>
  );
}

function Legend({ series, steps, ghost, drain, totals = false }: ChartProps) {
  return (
    <ul class="legend">
      {series.map(({ name, kind }, index) => (
        <li key={kind}>
          <Swatch kind={kind} />
          {name}
          {totals && <b>{number(sum(steps.map(({ values }) => values[index] ?? 0)))}</b>}
        </li>
      ))}
      {ghost !== undefined && (
        <li>
          <Swatch kind="ghost" />
          {ghost}
        </li>
      )}
      {drain && (
        <li>
          <Swatch kind="line" />
          {drain.name}
        </li>
      )}
    </ul>
  );
}

/** The mark of a series in a legend. */
/** Parts of a reply, and marks over a recording. */
type CallMark = 'hearing' | 'thinking' | 'voice' | 'slow' | 'cut-off';

export function Swatch({
  kind,
}: {
  kind: Kind | 'ghost' | 'agent' | 'person' | 'waiting' | 'allow' | 'deny' | 'hold' | 'refuse' | 'ring' | CallMark;
}) {
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true">
      {kind.startsWith('line') ? (
        <path class={`s-${kind}`} d="M0 6h12" />
      ) : (
        <rect class={kind} width="12" height="12" rx="2" />
      )}
    </svg>
  );
}

const middle = (index: number, count: number): number => ((index + 0.5) / count) * 100;

const bar = (index: number, count: number, from: number, height: number): string => {
  const width = 100 / count;
  const [x, w] = [index * width + width * 0.1, width * 0.8];
  return `M${round(x)} ${round(from)}h${round(w)}v${round(height)}h${round(-w)}z`;
};

const round = (value: number): number => Math.round(value * 100) / 100;

const barsPath = (steps: readonly Step[], room: number, series: number, top: number): string =>
  steps
    .map(({ values }, index) => {
      const value = values[series] ?? 0;
      if (value === 0) return '';
      const upTo = sum(values.slice(0, series + 1));
      return bar(index, room, 100 - (upTo / top) * 100, (value / top) * 100);
    })
    .join('');

const ghostPath = (steps: readonly Step[], room: number, top: number): string =>
  steps
    .map(({ ghost = 0 }, index) =>
      ghost === 0 ? '' : bar(index, room, 100 - (ghost / top) * 100, (ghost / top) * 100),
    )
    .join('');

/** A gap where a step has no value; a value between gaps is a dash. */
function linePath(steps: readonly Step[], room: number, series: number, top: number): string {
  let isDrawing = false;
  const parts = steps.map(({ values }, index) => {
    const value = values[series];
    if (value === null || value === undefined) {
      isDrawing = false;
      return '';
    }
    const [x, y] = [round(middle(index, room)), round(100 - (value / top) * 100)];
    const isAlone = !isDrawing && (steps[index + 1]?.values[series] ?? null) === null;
    const part = isDrawing
      ? `L${x} ${y}`
      : isAlone
        ? `M${round(x - 20 / room)} ${y}h${round(40 / room)}`
        : `M${x} ${y}`;
    isDrawing = true;
    return part;
  });
  return parts.join('');
}

const drainPath = ({ points }: Drain, top: number): string =>
  points
    .map(({ at, value }, index) => `${index === 0 ? 'M' : 'L'}${round(at * 100)} ${round(100 - (value / top) * 100)}`)
    .join('');
