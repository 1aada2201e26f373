import type { Block } from '../model.ts';
import { createTextBudget, type ExtractionLimits, type TextBudget } from '../limits.ts';
import { type BlockCollector, createBlockCollector, textOfBlocks } from './block-collector.ts';
import { createTableGrid, type TableGrid } from './table-grid.ts';
import { createTextFlow, type TextFlow } from './text-flow.ts';

/** A block with the page regions it stands in, as bit flags (`region` in html/elements.ts). */
export type TaggedBlock = { block: Block; regions: number };

/** The document itself, or an open table: its cells contain blocks in turn. */
type Container = { flow: TextFlow; tagged: TaggedBlock[]; table: OpenTable | undefined };
type OpenTable = {
  grid: TableGrid;
  /** Index of the open cell's first block; undefined between cells. */
  cellStart: number | undefined;
  /** Blocks inside the table but outside its cells, such as a caption. */
  outsideCells: TaggedBlock[];
  isLayout: boolean;
  /** Columns and rows that the open cell spans. */
  spans: [columns: number, rows: number];
};

/** A longer cell marks the table as layout, not data. */
const maxCellChars = 1000;
/** Cells were charged to the budget when their text was read; building the table must not charge them again. */
const alreadyCharged: TextBudget = { spend: () => undefined };

export type BlockBuilder = ReturnType<typeof createBlockBuilder>;

/**
 * Builds blocks from the events of a markup parser (HTML, word processor, slides), in document order. It accepts
 * unbalanced events, such as closing a table that was never opened, because real files contain them.
 */
export function createBlockBuilder(limits: ExtractionLimits) {
  const budget = createTextBudget(limits);
  const containers: Container[] = [];
  let regions = 0;
  let page: number | undefined;
  const top = (): Container => containers.at(-1)!;
  const emit = (write: (to: BlockCollector, page: number | undefined) => void, charging: TextBudget = budget): void => {
    const collector = createBlockCollector(charging);
    write(collector, page);
    const { tagged, table } = top();
    const target = table && table.cellStart === undefined ? table.outsideCells : tagged;
    for (const block of collector.blocks) target.push({ block, regions });
  };
  const openContainer = (table?: OpenTable): void =>
    void containers.push({ flow: createTextFlow(emit), tagged: [], table });
  openContainer();
  return {
    /** The flow of the innermost container: text goes there. */
    get flow(): TextFlow {
      return top().flow;
    },
    addText(text: string): void {
      budget.spend(0);
      top().flow.addText(text);
    },
    /** Sets the regions of the blocks that follow. */
    setRegions(value: number): void {
      if (value === regions) return;
      top().flow.flush();
      regions = value;
    },
    startPage(number: number): void {
      top().flow.close();
      page = number;
    },
    openTable(isLayout: boolean): void {
      top().flow.close();
      if (top().table) top().table!.isLayout = true;
      openContainer({ grid: createTableGrid(), cellStart: undefined, outsideCells: [], isLayout, spans: [1, 1] });
    },
    openRow(): void {
      top().flow.close();
      top().table?.grid.openRow();
    },
    openCell(): void {
      top().flow.close();
      const { table, tagged } = top();
      if (table) Object.assign(table, { cellStart: tagged.length, spans: [1, 1] });
    },
    setCellSpan(columns: number, rows: number): void {
      const { table } = top();
      if (table) table.spans = [columns, rows];
    },
    closeCell(): void {
      top().flow.close();
      const { table, tagged } = top();
      if (table) addCell(table, tagged);
    },
    /** Emits a data table as one block; of a layout table, the blocks inside its cells. */
    closeTable(): void {
      top().flow.close();
      if (containers.length === 1) return;
      const { table, tagged } = containers.pop()!;
      const { grid, isLayout, outsideCells } = table!;
      for (const each of outsideCells) top().tagged.push(each);
      const hasOneColumn = grid.rows.every((row) => row.length <= 1);
      if (!isLayout && !hasOneColumn) emit((to) => to.table(grid.rows, page), alreadyCharged);
      else for (const each of tagged) top().tagged.push(each);
    },
    /** Closes whatever is still open and returns all blocks. */
    finish(): TaggedBlock[] {
      while (containers.length > 1) this.closeTable();
      top().flow.close();
      return top().tagged;
    },
  };
}

function addCell(table: OpenTable, tagged: readonly TaggedBlock[]): void {
  if (table.cellStart === undefined) return;
  const blocks = tagged.slice(table.cellStart).map(({ block }) => block);
  const text = textOfBlocks(blocks);
  table.isLayout ||= text.length > maxCellChars || blocks.some(({ kind }) => kind === 'heading' || kind === 'table');
  table.grid.addCell(text, ...table.spans);
  table.cellStart = undefined;
}
