import { sql } from 'kysely';
import { type List, type Position, readList, type RowsOfPage } from '../../../db/pages.ts';
import { listOf, withoutIndex } from '../../../db/sql.ts';
import type { Queryable } from '../../../db/transaction.ts';
import { contactIndex } from '../../../search/contacts/index.ts';
import { storedStatuses } from '../campaign.ts';
import {
  type CampaignContactQuery,
  type Condition,
  countedCampaign,
  type ListedRow,
  listedRows,
  positionsOf,
  residualOf,
  type Sort,
  type SortedColumns,
  sortOf,
  seenAs,
} from './list-store.ts';

export type CampaignContactSearch = CampaignContactQuery & { orgId: string };

/**
 * At most this many candidates of the index are compared one by one, in some milliseconds. With more, many contacts match, and reading the
 * campaign in the order of the list finds a page sooner.
 */
const maxCompared = 5000;

/**
 * The rows of a page of campaign contacts that contain `filter.text`. May read every contact of the campaign, if many contacts of the
 * organization match or the text has one or two characters.
 */
export async function searchedRows(db: Queryable, search: CampaignContactSearch): Promise<RowsOfPage<ListedRow>> {
  const matches = await matchesOf(db, search);
  if (matches === undefined) return listedRows(db, search);
  const sort = sortOf(search.filter);
  const positions = positionsOf(sort);
  const compare = orderOf(sort);
  const sorted = matches.toSorted((a, b) => compare(positions.positionOf(a), positions.positionOf(b)));
  const rows: List<ListedRow>['rows'] = (after, { limit, offset }) => {
    const behind = after === null ? sorted : sorted.filter((match) => compare(positions.positionOf(match), after) > 0);
    const ids = behind.slice(offset, offset + limit).map(({ id }) => id);
    return sql<ListedRow>`SELECT * FROM campaign_contacts WHERE id IN ${listOf(ids)} ORDER BY ${sort.order}`.compile(
      db,
    );
  };
  return readList<ListedRow>(db, { rows, ...positions, total: () => matches.length }, search.page);
}

type Match = SortedColumns & Pick<ListedRow, 'id'>;

/** The campaign contacts that match, in any order; undefined if the index cannot narrow the search to `maxCompared` contacts. */
async function matchesOf(db: Queryable, search: CampaignContactSearch): Promise<Match[] | undefined> {
  const { orgId, campaignId, filter } = search;
  if (filter.text === undefined) return undefined;
  const contactIds = await contactIndex.candidates(db, { orgId }, filter.text, maxCompared);
  const ownIds = contactIds && (await contactIndex.candidates(db, { orgId, campaignId }, filter.text, maxCompared));
  if (contactIds === undefined || ownIds === undefined) return undefined;
  const campaign = await countedCampaign(db, campaignId);
  const statuses = filter.statuses && storedStatuses(seenAs(campaign), filter.statuses);
  const conditions = [
    ...(statuses === undefined ? [] : [sql`${withoutIndex('status')} IN (${sql.join(statuses)})`]),
    ...residualOf(filter),
  ];
  // A contact that the campaign has under another phone differs from its contact, so it is in the index itself.
  const byContact = sql`campaign_id = ${campaignId} AND phone IN (SELECT phone FROM contacts WHERE id IN ${listOf(contactIds)})`;
  const bySelf = sql`${withoutIndex('campaign_id')} = ${campaignId} AND id IN ${listOf(ownIds)}`;
  const found = [...(await select(db, byContact, conditions)), ...(await select(db, bySelf, conditions))];
  return [...new Map(found.map((match) => [match.id, match])).values()];
}

async function select(db: Queryable, candidates: Condition, conditions: readonly Condition[]): Promise<Match[]> {
  const { rows } = await sql<Match>`
    SELECT id, position, next_retry_at, last_attempted_at FROM campaign_contacts
    WHERE ${sql.join([candidates, ...conditions], sql` AND `)}`.execute(db);
  return rows;
}

/** Compares two positions as the database orders them: a missing time comes last. */
function orderOf({ time, isNewestFirst }: Sort): (a: Position, b: Position) => number {
  const byPosition = (a: Position, b: Position): number => Number(a.at(-1)) - Number(b.at(-1));
  if (time === null) return byPosition;
  const lateness = ([at]: Position): number => {
    if (at === null) return Number.MAX_VALUE;
    return isNewestFirst ? -Number(at) : Number(at);
  };
  return (a, b) => lateness(a) - lateness(b) || byPosition(a, b);
}
