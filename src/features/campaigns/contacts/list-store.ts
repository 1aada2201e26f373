import { type CompiledQuery, type RawBuilder, type Selectable, sql } from 'kysely';
import { countRowsOf, type List, type Position, readList, type RowsOfPage } from '../../../db/pages.ts';
import { prepared } from '../../../db/prepared.ts';
import type { CampaignContactsTable, CampaignsTable } from '../../../db/schema.generated.ts';
import { containsFolded, firstRowsOf, jsonListHas, type OrderedSelect, withoutIndex } from '../../../db/sql.ts';
import type { Queryable } from '../../../db/transaction.ts';
import { type Page, type Paged, pagedOf } from '../../../kernel/paging.ts';
import {
  asSeen,
  type CampaignContact,
  type CampaignContactStatus,
  contactStatuses,
  storedStatuses,
} from '../campaign.ts';
import {
  attemptedRows,
  calledRows,
  isAttempted,
  isCalled,
  inOrderOfFirstAttempts,
  isFirstAttempt,
  isPostponed,
  isRetry,
  isUnattempted,
  pendingParts,
  postponedRows,
  retryRows,
  unattemptedRows,
} from './indexes.ts';
import { campaignContactOf } from './store.ts';

export const campaignContactSorts = ['queue', 'next_attempt', 'last_attempt'] as const;

export type CampaignContactFilter = {
  statuses?: readonly CampaignContactStatus[];
  /** Part of the name, phone or e-mail, folded. */
  text?: string;
  tag?: string;
  /**
   * `queue` (default): the order in which they were added. `next_attempt`: by the time of their next attempt, `last_attempt`: by that of their
   * last one, newest first; contacts without such a time follow in the order of the queue.
   */
  sort?: (typeof campaignContactSorts)[number];
};

export type Condition = RawBuilder<unknown>;

/**
 * The rows and conditions of one SELECT of the list, and the order in which an index has them. `timed`: its rows have the time that the list
 * is sorted by, and come before rows without one.
 */
type Branch = { timed: boolean; rows: Condition; conditions: readonly Condition[]; order: Condition };

/** A row of the list, as the thread that read it returns it. */
export type ListedRow = Selectable<CampaignContactsTable>;
export type CampaignContactQuery = { campaignId: string; filter: CampaignContactFilter; page: Page };

/** The rows of a page of a campaign's contacts. */
export async function listedRows(
  db: Queryable,
  { campaignId, filter, page }: CampaignContactQuery,
): Promise<RowsOfPage<ListedRow>> {
  const sort = sortOf(filter);
  const campaign = await countedCampaign(db, campaignId);
  const counts = storedCounts(campaign);
  const stored = filter.statuses && { ...filter, statuses: storedStatuses(seenAs(campaign), filter.statuses) };
  const branches = branchesOf(campaignId, stored ?? filter, counts);
  const residual = residualOf(filter);
  const matching = sumOf(counts, stored?.statuses ?? contactStatuses);
  const rows = (after: Position | null, { limit, offset }: { limit: number; offset: number }) =>
    pageQuery(db, selectsOf(behind(branches, sort, after), residual), sort, { limit, offset });
  const total = () =>
    residual.length === 0 ? matching : countRowsOf(db, unionOf(branches, residual), page.owner, matching);
  const found: List<ListedRow> = {
    rows,
    ...positionsOf(sort),
    total,
    maxSkipped: (residual.length > 0 ? matching : 0) + sort.skipped(counts, stored ?? filter),
  };
  return readList(db, found, page);
}

/** A page of a campaign's contacts. */
export const list = async (
  db: Queryable,
  campaignId: string,
  filter: CampaignContactFilter,
  page: Page,
): Promise<Paged<CampaignContact>> => presentRows(db, campaignId, await listedRows(db, { campaignId, filter, page }));

/** The campaign contacts of a page, as readers see them. */
export async function presentRows(
  db: Queryable,
  campaignId: string,
  rows: RowsOfPage<ListedRow>,
): Promise<Paged<CampaignContact>> {
  const campaign = await countedCampaign(db, campaignId);
  return pagedOf(rows, (row) => asSeen(seenAs(campaign), campaignContactOf(row)));
}

/** The columns that a list may be sorted by. */
export type SortedColumns = Pick<ListedRow, 'position' | 'next_retry_at' | 'last_attempted_at'>;

export const positionsOf = ({ time }: Sort) => ({
  positionOf: (row: SortedColumns): Position => (time === null ? [row.position] : [row[time], row.position]),
  positionLength: time === null ? 1 : 2,
});

export type Sort = {
  /** The column that the list is sorted by before `position`; null if it is sorted by `position` alone. */
  time: 'next_retry_at' | 'last_attempted_at' | null;
  isNewestFirst: boolean;
  order: Condition;
  /** At most this many rows are read and dropped for a page, because no index leaves them out. */
  skipped(counts: Counts, filter: CampaignContactFilter): number;
};

const sortsBy: Readonly<Record<(typeof campaignContactSorts)[number], Sort>> = {
  queue: { time: null, isNewestFirst: false, order: sql`position`, skipped: () => 0 },
  next_attempt: {
    time: 'next_retry_at',
    isNewestFirst: false,
    order: sql`next_retry_at NULLS LAST, position`,
    skipped: () => 0,
  },
  last_attempt: {
    time: 'last_attempted_at',
    isNewestFirst: true,
    order: sql`last_attempted_at DESC NULLS LAST, position`,
    skipped: (counts, { statuses }) =>
      statuses === undefined ? 0 : sumOf(counts, contactStatuses) - sumOf(counts, statuses),
  },
};

export const sortOf = ({ sort }: CampaignContactFilter): Sort => sortsBy[sort ?? 'queue'];

const sumOf = (counts: Counts, statuses: readonly CampaignContactStatus[]): number =>
  statuses.reduce((sum, status) => sum + counts[status], 0);

/** Statuses that only an attempt leads to. */
const attemptedStatuses: readonly CampaignContactStatus[] = ['completed', 'no_answer', 'busy', 'voicemail'];

/** One branch for each status, because an index gives the order of the list for one status; SQLite merges the branches. */
function branchesOf(campaignId: string, { statuses, sort }: CampaignContactFilter, counts: Counts): Branch[] {
  const ofCampaign = sql`campaign_id = ${campaignId}`;
  const present = (statuses ?? contactStatuses).filter((status) => counts[status] > 0);
  const branch = (rows: Condition, ...conditions: Condition[]): Branch => ({
    timed: false,
    rows,
    conditions: [ofCampaign, ...conditions],
    order: sql`position`,
  });
  const timed = (...parts: Parameters<typeof branch>): Branch => ({
    ...branch(...parts),
    timed: true,
    order: sort === 'last_attempt' ? sql`last_attempted_at DESC, position` : sql`next_retry_at, position`,
  });
  const firstAttempts = (...more: Condition[]) =>
    pendingParts.map(({ rows, isPart }) => ({
      ...branch(rows, isPart, isFirstAttempt, ...more),
      order: inOrderOfFirstAttempts,
    }));
  const statusIs = (status: CampaignContactStatus) => sql`status = ${status}`;

  if (sort === 'last_attempt') {
    const withStatus = statuses === undefined ? [] : [statusIn(statuses)];
    const unattempted = (status: CampaignContactStatus): Branch[] =>
      status === 'pending'
        ? [...firstAttempts(sql`last_attempted_at IS NULL`), branch(postponedRows, isPostponed)]
        : [branch(unattemptedRows, statusIs(status), isUnattempted)];
    return [
      timed(attemptedRows, isAttempted, ...withStatus),
      ...present.filter((status) => !attemptedStatuses.includes(status)).flatMap(unattempted),
    ];
  }
  if (statuses === undefined && sort !== 'next_attempt') return [branch(sql`campaign_contacts`)];
  const isTimed = sort === 'next_attempt';
  const retries = isTimed
    ? pendingParts.map(({ rows, isPart }) => timed(rows, isPart, isRetry))
    : [branch(retryRows, isRetry)];
  const withoutTime = isTimed ? [sql`next_retry_at IS NULL`] : [];
  const called = present.filter((status) => status !== 'pending');
  return [
    ...(called.length < present.length ? [...retries, ...firstAttempts()] : []),
    ...called.map((status) => branch(calledRows, statusIs(status), isCalled, ...withoutTime)),
  ];
}

const statusIn = (statuses: readonly CampaignContactStatus[]): Condition =>
  sql`${withoutIndex('status')} IN (${sql.join(statuses)})`;

/** The branches without the rows up to the position `after`. */
function behind(branches: readonly Branch[], { time, isNewestFirst }: Sort, after: Position | null): Branch[] {
  if (after === null) return [...branches];
  const position = after.at(-1);
  const from = time === null ? null : after[0];
  return branches.flatMap((branch): Branch[] => {
    const { timed, conditions } = branch;
    if (timed && from === null) return [];
    if (!timed)
      return [{ ...branch, conditions: from === null ? [...conditions, sql`position > ${position}`] : conditions }];
    const column = sql.ref(time!);
    const later = isNewestFirst ? sql`${column} < ${from}` : sql`${column} > ${from}`;
    return [
      {
        ...branch,
        conditions: [...conditions, sql`${column} = ${from}`, sql`position > ${position}`],
        order: sql`position`,
      },
      { ...branch, conditions: [...conditions, later] },
    ];
  });
}

/** The conditions that no index of the list answers. They apply to every branch. */
export const residualOf = ({ text, tag }: CampaignContactFilter): Condition[] => [
  ...(text === undefined ? [] : [containsFolded(['name', 'phone', 'email'], text)]),
  ...(tag === undefined ? [] : [jsonListHas('tags', tag)]),
];

const selectsOf = (branches: readonly Branch[], residual: readonly Condition[]): OrderedSelect[] =>
  branches.map(({ rows, conditions, order }) => ({
    select: sql`SELECT * FROM ${rows} WHERE ${sql.join([...conditions, ...residual], sql` AND `)}`,
    order,
  }));

const noRows = sql`SELECT * FROM (SELECT NULL AS position, NULL AS next_retry_at, NULL AS last_attempted_at) AS found WHERE false`;

const unionOf = (branches: readonly Branch[], residual: readonly Condition[]): Condition =>
  branches.length === 0
    ? noRows
    : sql.join(
        selectsOf(branches, residual).map(({ select }) => select),
        sql` UNION ALL `,
      );

const pageQuery = (
  db: Queryable,
  selects: readonly OrderedSelect[],
  { order }: Sort,
  range: { limit: number; offset: number },
): CompiledQuery<ListedRow> =>
  sql<ListedRow>`${selects.length === 0 ? noRows : firstRowsOf(selects, order, range)}`.compile(db);

type Counts = Record<CampaignContactStatus, number>;

const selectCounters = prepared((db, p: { id: string }) =>
  db
    .selectFrom('campaigns')
    .select(['contacts_change', 'contacted', 'failed', 'no_answer', 'pending', 'in_progress'])
    .select(['busy', 'voicemail', 'cancelled', 'expired'])
    .where('id', '=', p.id),
);

type CountedCampaign = Pick<Selectable<CampaignsTable>, 'contacts_change' | 'pending' | 'in_progress' | StoredCounter>;
type StoredCounter = 'contacted' | 'failed' | 'no_answer' | 'busy' | 'voicemail' | 'cancelled' | 'expired';

const noContacts: CountedCampaign = {
  contacts_change: null,
  pending: 0,
  in_progress: 0,
  contacted: 0,
  failed: 0,
  no_answer: 0,
  busy: 0,
  voicemail: 0,
  cancelled: 0,
  expired: 0,
};

export const countedCampaign = async (db: Queryable, campaignId: string): Promise<CountedCampaign> =>
  (await selectCounters(db, { id: campaignId })).rows[0] ?? noContacts;

/** Whether pending contacts of the campaign are seen as expired. */
export const seenAs = ({ contacts_change: change }: Pick<CountedCampaign, 'contacts_change'>) => ({
  isExpiring: change === 'expiring',
});

/** How many rows of a campaign have each status. */
const storedCounts = (row: CountedCampaign): Counts => ({
  pending: row.pending,
  in_progress: row.in_progress,
  completed: row.contacted,
  failed: row.failed - row.cancelled - row.expired,
  no_answer: row.no_answer - row.busy - row.voicemail,
  busy: row.busy,
  voicemail: row.voicemail,
  cancelled: row.cancelled,
  expired: row.expired,
});

/** How many contacts of a campaign have each status, read from stored counters. */
export async function countsOf(db: Queryable, campaignId: string): Promise<Counts> {
  const campaign = await countedCampaign(db, campaignId);
  const counts = storedCounts(campaign);
  if (!seenAs(campaign).isExpiring) return counts;
  return { ...counts, pending: 0, expired: counts.expired + counts.pending };
}
