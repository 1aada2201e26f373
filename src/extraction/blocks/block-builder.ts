import {
  type Budget,
  type Collector,
  createBudget,
  createCollector,
  type Limits,
  textOfBlocks,
} from './block-collector.ts';
import { createFlow, type Flow } from './text-flow.ts';
import { createGrid, type Grid } from './table-grid.ts';
import type { Block } from '../model.ts';

/** A block and what the elements around it made of it (html/elements.ts). */
export type Placed = { block: Block; around: number };

/** The page itself, or a table in it, whose cells hold blocks again. */
type Frame = { flow: Flow; placed: Placed[]; table: Table | undefined };
/** `outside` is what stands in a table but in no cell. */
type Table = { grid: Grid; cellStart: number | undefined; outside: Placed[]; layout: boolean; spans: [number, number] };

/** A table with a longer cell is there for the sake of layout. */
const maxCellChars = 1000;
/** What a table's cells hold was counted when they were read. */
const countedBefore: Budget = { take: () => undefined };

export type Sink = ReturnType<typeof createSink>;

/**
 * Makes blocks of marked-up text, given in the order of the document: of HTML, of word processors, of slides. It forgives what
 * does not match, since all of them are written by people and by programs.
 */
export function createSink(limits: Limits) {
  const budget = createBudget(limits);
  const frames: Frame[] = [];
  let around = 0;
  let page: number | undefined;
  const top = (): Frame => frames.at(-1)!;
  const place = (write: (to: Collector, page: number | undefined) => void, counting: Budget = budget): void => {
    const collector = createCollector(counting);
    write(collector, page);
    const { placed, table } = top();
    const target = table && table.cellStart === undefined ? table.outside : placed;
    for (const block of collector.blocks) target.push({ block, around });
  };
  const open = (table?: Table): void => void frames.push({ flow: createFlow(place), placed: [], table });
  open();
  return {
    /** Where text goes now. */
    get flow(): Flow {
      return top().flow;
    },
    text(text: string): void {
      budget.take(0);
      top().flow.text(text);
    },
    /** What elements around the next blocks make of them. */
    around(value: number): void {
      if (value === around) return;
      top().flow.flush();
      around = value;
    },
    /** What follows is on that page. */
    page(number: number): void {
      top().flow.close();
      page = number;
    },
    openTable(layout: boolean): void {
      top().flow.close();
      if (top().table) top().table!.layout = true;
      open({ grid: createGrid(), cellStart: undefined, outside: [], layout, spans: [1, 1] });
    },
    openRow(): void {
      top().flow.close();
      top().table?.grid.openRow();
    },
    openCell(): void {
      top().flow.close();
      const { table, placed } = top();
      if (table) Object.assign(table, { cellStart: placed.length, spans: [1, 1] });
    },
    /** How many columns and rows the open cell takes. */
    span(columns: number, rows: number): void {
      const { table } = top();
      if (table) table.spans = [columns, rows];
    },
    closeCell(): void {
      top().flow.close();
      const { table, placed } = top();
      if (table) addCell(table, placed);
    },
    closeTable(): void {
      top().flow.close();
      if (frames.length === 1) return;
      const { table, placed } = frames.pop()!;
      const { grid, layout, outside } = table!;
      for (const each of outside) top().placed.push(each);
      const oneColumn = grid.rows.every((row) => row.length <= 1);
      if (!layout && !oneColumn) place((to) => to.table(grid.rows, page), countedBefore);
      else for (const each of placed) top().placed.push(each);
    },
    /** Everything, when the document has ended. */
    end(): Placed[] {
      while (frames.length > 1) this.closeTable();
      top().flow.close();
      return top().placed;
    },
  };
}

function addCell(table: Table, placed: readonly Placed[]): void {
  if (table.cellStart === undefined) return;
  const blocks = placed.slice(table.cellStart).map(({ block }) => block);
  const text = textOfBlocks(blocks);
  table.layout ||= text.length > maxCellChars || blocks.some(({ kind }) => kind === 'heading' || kind === 'table');
  table.grid.cell(text, ...table.spans);
  table.cellStart = undefined;
}
