import { dayMs, nextMacrotask } from '../../../base/clock.ts';
import { notFound } from '../../../base/errors.ts';
import type { App } from '../../../kernel/app.ts';
import { nightly } from '../../../kernel/nightly.ts';
import { jobKind } from '../../../kernel/queue.ts';
import type { Download } from '../../../kernel/route.ts';
import { csvLine } from '../csv/cells.ts';
import * as store from './kept-rows-store.ts';

export { type KeptKind, type KeptRow, insertRows as keepRows } from './kept-rows-store.ts';

/** How long it can be asked what an import did, and which rows it rejected. */
export const retentionMs = dayMs;

/**
 * The rows that an import rejected, or imported with warnings, in the columns of the file, with the reason behind them.
 * @throws notFound when the organization had no such import in the last day
 */
export async function downloadRows(app: App, orgId: string, id: string, kind: store.KeptKind): Promise<Download> {
  const key = { orgId, id };
  const header = await store.headerOf(app.db, { ...key, after: app.clock.now() - retentionMs });
  if (!header) throw notFound('import of the last 24 hours');
  return { fileName: `import-${id}-${kind}.csv`, content: lines(app, header, key, kind) };
}

const pageSize = 100;

async function* lines(app: App, header: string[], key: store.ImportKey, kind: store.KeptKind): AsyncGenerator<string> {
  yield csvLine([...header, 'reason']);
  for (let after = 0; ; await nextMacrotask()) {
    const rows = await store.rowsAfter(app.db, { ...key, kind, after, limit: pageSize });
    if (rows.length === 0) return;
    yield rows.map(({ cells, reason }) => csvLine(withReason(cells, header.length, reason))).join('');
    after = rows.at(-1)!.row;
  }
}

/** Cells beyond the header follow the reason, so that it stays in its column. */
const withReason = (cells: readonly string[], columns: number, reason: string): string[] => [
  ...Array.from({ length: columns }, (_, index) => cells[index] ?? ''),
  reason,
  ...cells.slice(columns),
];

/** Deletes what imports kept for a day. */
export const importPruning = nightly(jobKind('contacts.prune'), '47 3 * * *', (app, tx, rows) =>
  store.deleteBefore(tx, app.clock.now() - retentionMs, rows),
);
