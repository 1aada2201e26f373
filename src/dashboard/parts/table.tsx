import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { hrefWith } from '../state/location.ts';
import { zone } from '../state/preferences.ts';
import { isNarrow } from '../state/screen.ts';
import { common } from '../text/en.ts';
import { SelectAll, type Selection, SelectRow } from './selection.tsx';
import { ZoneInHeading } from './time.tsx';

export type Column<R> = {
  name: string;
  cell(row: R): ComponentChildren;
  /** Figures stand at the end of their column, with digits of one width. */
  numeric?: boolean;
  /** Stays on one line, such as a phone number. */
  whole?: boolean;
  /** Instants, whose zone stands once in the heading. */
  instants?: boolean;
};

type TableProps<R> = {
  /** The table's name. */
  caption: string;
  columns: ReadonlyArray<Column<R>>;
  rows: readonly R[];
  rowKey(row: R): string;
  /** Text instead of rows: what belongs here, and how to add it. */
  empty?: ComponentChildren;
  /** Shows the caption; otherwise only screen readers read it, where a heading says the same. */
  titled?: boolean;
  footer?: ComponentChildren;
  /** Where there is no room for the columns each row is a block with a line for each, unless this is false. */
  stacks?: boolean;
  /** Whether it may scroll sideways, and then takes the focus; not where it is hidden. */
  scrolls?: boolean;
  /** Rows can be selected, for something that is done with several at once. */
  selection?: Selection<R>;
};

const headingOf = <R,>({ name, instants = false }: Column<R>): string =>
  instants ? common.inZone(name, zone.value) : name;

function Cell<R>({ column, row }: { column: Column<R>; row: R }) {
  return <ZoneInHeading.Provider value={column.instants === true}>{column.cell(row)}</ZoneInHeading.Provider>;
}

/** Room that a column needs, in heights of the root's letters, so that larger text counts, too. */
const columnRem = 6.5;

/** Tables with fewer columns keep them on a phone, if they fit. */
const minNarrowColumns = 3;

/** Whether the rows of a table are cards: on a narrow screen, and where its place on the page is too narrow for its columns. */
function useCards(columns: number) {
  const frame = useRef<HTMLDivElement>(null);
  const isTight = useSignal(false);
  useLayoutEffect(() => {
    let neededPx = 0;
    const measure = (): void => {
      const { clientWidth, scrollWidth } = frame.current!;
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      if (!isTight.value) neededPx = scrollWidth > clientWidth ? scrollWidth : 0; // cards need no more than there is
      isTight.value = clientWidth < Math.max(columns * columnRem * rem, neededPx);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(frame.current!);
    observer.observe(frame.current!.firstElementChild!);
    return () => observer.disconnect();
  }, [columns]);
  return { frame, isCards: isTight.value || (isNarrow.value && columns >= minNarrowColumns) };
}

/** A table whose first column names its rows. */
export function Table<R>(props: TableProps<R>) {
  const { caption, columns, rows, rowKey, empty, titled = false, footer, selection } = props;
  const { stacks = true, scrolls = true } = props;
  const { frame, isCards } = useCards(columns.length);
  const classOf = (column: Column<R>): string | undefined =>
    [column.numeric && 'num', column.whole && 'whole'].filter(Boolean).join(' ') || undefined;
  return (
    <div ref={frame} class="table-frame" {...(scrolls ? { role: 'group', 'aria-label': caption, tabIndex: 0 } : {})}>
      <table class={stacks && isCards ? 'cards' : undefined}>
        <caption class={titled ? undefined : 'visually-hidden'}>{caption}</caption>
        <thead>
          <tr>
            {selection && (
              <td>
                <SelectAll selection={selection} keys={rows.map(rowKey)} />
              </td>
            )}
            {columns.map((column) => (
              <th key={column.name} scope="col" class={classOf(column)}>
                {headingOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} data-row>
              {selection && (
                <td>
                  <SelectRow selection={selection} row={row} id={rowKey(row)} />
                </td>
              )}
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.name} scope="row" dir="auto" class={column.whole ? 'whole' : undefined}>
                    <Cell column={column} row={row} />
                  </th>
                ) : (
                  <td key={column.name} class={classOf(column)} data-label={headingOf(column)}>
                    <Cell column={column} row={row} />
                  </td>
                ),
              )}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr>
              <td colSpan={columns.length + (selection ? 1 : 0)} class="empty">
                {empty ?? common.empty}
              </td>
            </tr>
          )}
        </tbody>
        {footer && <tfoot>{footer}</tfoot>}
      </table>
    </div>
  );
}

/** `meta` of a list: a page by `after` has `next`, one by `offset` has `total`. */
export type PageMeta = { limit: number; total?: number; offset?: number; next?: string | null };

/** Links to the other pages of a list; the page is part of the address. */
export function Pager({ name, meta }: { name: string; meta: PageMeta }) {
  const { limit, total, offset, next } = meta;
  if (total === undefined || offset === undefined) {
    const isFirst = !location.search.includes('after=');
    if (isFirst && (next === null || next === undefined)) return null;
    return (
      <nav class="pager" aria-label={common.pagesOf(name)}>
        {!isFirst && <a href={hrefWith({ after: undefined })}>{common.firstPage}</a>}
        {next && <a href={hrefWith({ after: next })}>{common.nextPage}</a>}
      </nav>
    );
  }
  if (total <= limit && offset === 0) return null;
  const offsetOf = (value: number): string | undefined => (value <= 0 ? undefined : String(value));
  return (
    <nav class="pager" aria-label={common.pagesOf(name)}>
      <span>{common.rowsOf(Math.min(offset + 1, total), Math.min(offset + limit, total), total)}</span>
      {offset > 0 && <a href={hrefWith({ offset: offsetOf(offset - limit) })}>{common.previousPage}</a>}
      {offset + limit < total && <a href={hrefWith({ offset: offsetOf(offset + limit) })}>{common.nextPage}</a>}
    </nav>
  );
}
