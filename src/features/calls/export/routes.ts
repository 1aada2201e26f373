import { given } from '../../../base/given.ts';
import { transact } from '../../../db/transaction.ts';
import { instantIn } from '../../../kernel/filters.ts';
import { operation } from '../../../kernel/route.ts';
import { object, optional, timeZone, Type } from '../../../kernel/schema.ts';
import { organizationOf } from '../../organizations/service.ts';
import { actorOf, appendAudit } from '../../requests/audit.ts';
import type { CallFilter } from '../call-list-store.ts';
import { callFilterOf, callFilters } from '../routes.ts';
import { exportCalls as exported, maxMetadataColumns } from './export.ts';

const instant = (description: string) => optional(Type.String({ format: 'local-date-or-time', description }));

/** Of two bounds the one that lets less through. */
function narrowed(filter: CallFilter, from: number | undefined, to: number | undefined): CallFilter {
  const since = from === undefined ? filter.since : Math.max(from, filter.since ?? from);
  const until = to === undefined ? filter.until : Math.min(to, filter.until ?? to);
  return { ...filter, ...given({ since, until }) };
}

export const exportCalls = operation({
  operationId: 'exportCalls',
  tag: 'Calls',
  summary: 'Download calls as a CSV file, newest first; each request is in the audit log',
  query: object({
    ...callFilters,
    from: instant('Only calls that were created at this time or later; without an offset local to `timezone`'),
    to: instant('Only calls that were created before this time; without an offset local to `timezone`'),
    timezone: optional(timeZone("IANA time zone of `from` and `to`; default: the organization's")),
  }),
  download: {
    contentType: 'text/csv',
    description:
      "A header row, then one row per call: the single values of the call's data, then `summary`, `disposition`, `sentiment`, `goals_met`, " +
      '`agent_edition` and `campaign_name`. Each key in the metadata of any of the calls has a column `metadata.<key>`; beyond ' +
      `${maxMetadataColumns} keys the others are JSON in the column \`metadata\`. A cell that a spreadsheet could run as a formula starts with ` +
      'an apostrophe.',
  },
  message: 'Calls exported.',
  async handle(app, { caller, query, requestId, ip }) {
    const { from, to, timezone, ...filters } = query;
    const zone = timezone ?? (await organizationOf(app.db, caller.orgId)).timezone;
    const filter = narrowed(callFilterOf(filters), instantIn('from', from, zone), instantIn('to', to, zone));
    const entry = {
      orgId: caller.orgId,
      actor: actorOf(caller),
      operation: 'exportCalls',
      target: {},
      requestId,
      ip,
    };
    await transact(app.db, caller.orgId, (tx) => appendAudit(app, tx, entry));
    return { download: exported(app, caller.orgId, filter) };
  },
});
