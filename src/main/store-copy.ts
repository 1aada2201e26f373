import type { Config } from '../base/config/schema.ts';
import { faultPoint } from '../base/fault-points.ts';
import { copyTables, type TableSummary } from '../db/copy/tables.ts';
import { withoutPassword } from '../base/redact.ts';
import { bindingFor } from '../db/sqlite/addon.ts';
import { copiedTables } from '../db/sqlite/load.ts';
import { fillWordIndexes } from '../search/service.ts';
import { type Place, withSource, withTarget } from './copy-places.ts';
import { databaseFileIn } from './data-directory.ts';
import { markMoved, requireNotMoved } from './moved.ts';

export type StoreCopy = {
  from: Place;
  to: Place;
  nowMs: number;
  /** Called when a table was copied and compared. */
  onTable: (summary: TableSummary) => void;
};

export const shownPlace = (place: Place): string =>
  'url' in place ? withoutPassword(place.url) : databaseFileIn(place.directory);

/**
 * Moves an installation into an empty database: all rows with their ids, while the word indexes are made anew. Afterwards the source is
 * marked as moved. A copy that fails leaves both databases as they were.
 * @throws an Error when the source is served or was moved already, or the target is not empty
 */
export const copyStore = (config: Config, { from, to, nowMs, onTable }: StoreCopy): Promise<void> =>
  withSource(config, from, {
    nowMs,
    async run(source) {
      await requireNotMoved(source.db, config.store.moved_anyway);
      const directory = 'directory' in from ? from.directory : 'directory' in to ? to.directory : config.data;
      const tables = await copiedTables(bindingFor(databaseFileIn(directory)));
      await withTarget(config, to, {
        source: source.db,
        nowMs,
        async load(loading) {
          await copyTables(source, loading, tables, onTable);
          await fillWordIndexes(loading.tx);
          faultPoint('copy.uncommitted');
        },
      });
      faultPoint('copy.unmarked');
      await source.mark((tx) => markMoved(tx, shownPlace(to), nowMs));
    },
  });
