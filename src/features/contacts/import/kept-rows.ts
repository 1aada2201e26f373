import { dayMs, nextMacrotask } from '../../../base/clock.ts';
import { notFound } from '../../../base/errors.ts';
import { transact } from '../../../db/transaction.ts';
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

type Mentions = (cells: readonly string[]) => boolean;

/** The kept rows of an organization's imports in which `mentions` finds somebody, a page at a time. */
export async function* leftoversWith(app: App, orgId: string, mentions: Mentions): AsyncGenerator<store.Leftover[]> {
  for (const { id } of await store.importsOf(app.db, orgId)) {
    let rows = await store.leftoversAfter(app.db, { orgId, id, kind: '', row: 0 });
    while (rows.length > 0) {
      yield rows.filter(({ cells, reason }) => mentions([...(JSON.parse(cells) as string[]), reason]));
      await nextMacrotask();
      const { kind, row } = rows.at(-1)!;
      rows = await store.leftoversAfter(app.db, { orgId, id, kind, row });
    }
  }
}

/** Deletes the kept rows in which `mentions` finds somebody. Returns how many. */
export async function deleteLeftovers(app: App, orgId: string, mentions: Mentions): Promise<number> {
  let deleted = 0;
  for (const { id, header } of await store.importsOf(app.db, orgId))
    if (mentions(JSON.parse(header) as string[]))
      await transact(app.db, orgId, (tx) => store.emptyHeader(tx, { orgId, id }));
  for await (const page of leftoversWith(app, orgId, mentions)) {
    if (page.length > 0) await transact(app.db, orgId, (tx) => store.deleteLeftovers(tx, orgId, page));
    deleted += page.length;
  }
  return deleted;
}

/** Deletes what imports kept for a day. */
export const importPruning = nightly(jobKind('contacts.prune'), '47 3 * * *', (app, tx, rows) =>
  store.deleteBefore(tx, app.clock.now() - retentionMs, rows),
);
