import { isNarrow } from '../../state/screen.ts';
import { common } from '../../text/en.ts';
import { number, percent } from '../../text/plural.ts';
import { Figure } from '../chart.tsx';
import { useReading } from './reading.ts';

type Cell = { weekday: number; hour: number; calls: number; answered: number; goals?: number };
type Props = {
  name: string;
  cells: readonly Cell[];
  columns: readonly number[];
  note: string;
  /** A sentence above the chart that sums it up. */
  answer?: string | undefined;
};

/** The share of answered calls by weekday and hour. Stronger is more; “Figures” opens the table of the same numbers. */
export function HeatGrid({ name, cells, columns, note, answer }: Props) {
  const rates = cells.filter(({ calls }) => calls > 0).map(({ calls, answered }) => answered / calls);
  const [lowest, highest] = [Math.min(...rates), Math.max(...rates)];
  const days = common.dayNames.map((day, index) => ({
    day,
    hours: new Map(cells.filter(({ weekday }) => weekday === index + 1).map((each) => [each.hour, each])),
  }));
  return (
    <Figure
      name={name}
      figures={{
        rows: days,
        rowKey: ({ day }) => day,
        columns: [
          { name: common.weekday, cell: ({ day }) => day },
          ...columns.map((hour) => ({
            name: twoDigits(hour),
            cell: ({ hours }: (typeof days)[number]) => textOf(hours.get(hour)),
            numeric: true,
          })),
        ],
      }}
    >
      {answer !== undefined && <p>{answer}</p>}
      <Grid {...{ name, days, columns, lowest, highest, note }} />
    </Figure>
  );
}

type Day = { day: string; hours: ReadonlyMap<number, Cell> };
type GridProps = {
  name: string;
  days: readonly Day[];
  columns: readonly number[];
  lowest: number;
  highest: number;
  note: string;
};

/** Follows pointer and arrow keys, and shows the figures of the hour that they are at. */
function Grid({ name, days, columns, lowest, highest, note }: GridProps) {
  const width = columns.length;
  const textAt = (index: number): string => readingAt({ days, columns }, index);
  const { at, text, attributes } = useReading({ name, count: days.length * width, width, textAt });
  const every = Math.ceil(width / (isNarrow.value ? 8 : 12));
  return (
    <div class="heat" {...attributes}>
      {days.map(({ day, hours }, row) => [
        <span key={day}>{day.slice(0, 3)}</span>,
        <span key={`${day} hours`} class="row">
          {columns.map((hour, column) => {
            const index = row * width + column;
            const point = (): void => void (at.value = index);
            return (
              <Square key={hour} cell={hours.get(hour)} isRead={at.value === index} {...{ lowest, highest, point }} />
            );
          })}
        </span>,
      ])}
      <span />
      <span class="x">
        {columns.map((hour, index) => (
          <span key={hour}>{index % every === 0 ? twoDigits(hour) : ''}</span>
        ))}
      </span>
      <span class="reading small">{text ?? noteOf(note, lowest, highest)}</span>
    </div>
  );
}

function readingAt({ days, columns }: Pick<GridProps, 'days' | 'columns'>, at: number): string {
  const { day, hours } = days[Math.floor(at / columns.length)]!;
  const hour = columns[at % columns.length]!;
  return `${day} ${twoDigits(hour)}: ${textOf(hours.get(hour))}`;
}

const noteOf = (note: string, lowest: number, highest: number): string =>
  lowest < highest ? `${note} ${common.strongerIsMore(percent(lowest), percent(highest))}` : note;

const twoDigits = (hour: number): string => String(hour).padStart(2, '0');

const textOf = (cell: Cell | undefined): string =>
  !cell || cell.calls === 0
    ? common.none
    : `${percent(cell.answered / cell.calls)} ${common.ofCalls(number(cell.calls))}${
        cell.goals === undefined ? '' : `, ${common.goals(cell.goals)}`
      }`;

type SquareProps = { cell: Cell | undefined; lowest: number; highest: number; isRead: boolean; point(): void };

/** The faintest that a square with calls is, so that it is told apart from none. */
const faintest = 0.2;

function Square({ cell, lowest, highest, isRead, point }: SquareProps) {
  const isEmpty = !cell || cell.calls === 0;
  const share = isEmpty ? 0 : (cell.answered / cell.calls - lowest) / Math.max(highest - lowest, 1e-9);
  return (
    <svg
      class={isRead ? 'read' : undefined}
      viewBox="0 0 10 10"
      preserveAspectRatio="none"
      aria-hidden="true"
      onPointerMove={point}
      onPointerDown={point}
    >
      <rect
        class={isEmpty ? 'deny' : 'goal'}
        width="10"
        height="10"
        opacity={isEmpty ? 0.4 : faintest + share * (1 - faintest)}
      />
    </svg>
  );
}
