import { isoOf, isoOrNull } from '../../../base/clock.ts';
import { integer, nullable, object, oneOf, type Static, timestamp } from '../../../kernel/schema.ts';
import { type ImportProgress, importStates } from './progress.ts';

const count = () => integer({ minimum: 0 });

export const progressSchema = object({
  state: oneOf(importStates, {
    description: 'stopped: it ended before the end of the file; what it had written by then stays',
  }),
  rows_read: count(),
  created: count(),
  updated: count(),
  rejected_count: count(),
  warning_count: count(),
  started_at: timestamp(),
  ended_at: nullable(timestamp()),
});

export const presentProgress = (progress: ImportProgress): Static<typeof progressSchema> => ({
  state: progress.state,
  rows_read: progress.rowsRead,
  created: progress.created,
  updated: progress.updated,
  rejected_count: progress.rejectedCount,
  warning_count: progress.warningCount,
  started_at: isoOf(progress.startedAt),
  ended_at: isoOrNull(progress.endedAt),
});
