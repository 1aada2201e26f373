/**
 * The numbers that triggers keep. Lists say how many rows they have, and counting a million rows takes up to two seconds, so triggers
 * change the numbers in the transaction that changes the rows, whichever statement does. `parley doctor` counts again and compares.
 *
 * From this table .build/counting-triggers.ts writes the triggers and the queries that count again. Expressions are SQL about a row of the
 * counted table, `row`; conditions are never NULL.
 */
export type Counter = ColumnCounter | GroupCounter | FigureCounter;

/** Numbers in the columns of a row that exists while there is something to count. */
export type ColumnCounter = {
  /** What is counted, in words for `parley doctor`. */
  what: string;
  /** The table whose rows are counted. */
  of: string;
  /** The table that has the numbers. */
  in: string;
  /** Columns of `in` that find the row with the numbers, and what they equal. A counted row never changes these. */
  by: Readonly<Record<string, string>>;
  /** Columns of `in`, and which rows they count. */
  counts: Readonly<Record<string, string>>;
  /** Columns of `in`, and the value that they add up. */
  sums?: Readonly<Record<string, string>>;
  /** Columns of `in` that keep the highest value which a counted row was changed to; `parley doctor` does not compare them. */
  highest?: Readonly<Record<string, string>>;
} & Batches;

/** `inBatches`: statements update many rows, so PostgreSQL counts an UPDATE as a whole, at a fifth of what counting row by row takes. */
type Batches = { inBatches?: true };

/** A table of numbers with a row per group, which is made with the first row of the group. */
export type GroupCounter = {
  what: string;
  of: string;
  in: string;
  /** Which rows are counted. */
  where: string;
  /** The key of `in`. A list counts a row in several groups; a group whose key has a NULL is not counted. */
  groups: Readonly<Record<string, string | readonly string[]>>;
  /** The column of `in` with the number. */
  number: string;
};

/**
 * Numbers for each group of rows, such as how many calls began in a quarter of an hour and what they cost. Deleting a counted row
 * changes nothing: the numbers outlive the rows. `parley doctor` finds numbers that are smaller than the rows that are left.
 */
export type FigureCounter = {
  what: string;
  of: string;
  in: string;
  /** Which rows are counted. */
  where: string;
  /** The key of `in`. */
  keys: Readonly<Record<string, string>>;
  /** Columns of `in`, and the value that a row adds; a change of it moves the number. */
  figures: Readonly<Record<string, string>>;
} & Batches;

const byOrganization = { organization_id: 'row.organization_id' };

const isOfCampaign = 'row.status IS NOT NULL AND row.campaign_id IS NOT NULL';

export const counters: readonly Counter[] = [
  {
    what: 'contacts',
    of: 'contacts',
    in: 'organization_counts',
    by: byOrganization,
    counts: { contacts: 'row.removed_at IS NULL' },
  },
  {
    what: 'phones not to call',
    of: 'do_not_call',
    in: 'organization_counts',
    by: byOrganization,
    counts: { do_not_call: 'true' },
  },
  {
    what: 'audit entries',
    of: 'audit_log',
    in: 'organization_counts',
    by: byOrganization,
    counts: { audit_entries: 'true' },
  },
  { what: 'notices', of: 'notices', in: 'organization_counts', by: byOrganization, counts: { notices: 'true' } },
  {
    what: 'notes of contacts',
    of: 'contact_notes',
    in: 'contacts',
    by: { id: 'row.contact_id' },
    counts: { note_count: 'true' },
  },
  {
    what: 'calls',
    of: 'calls',
    in: 'call_counts',
    where: 'row.status IS NOT NULL',
    groups: {
      ...byOrganization,
      agent_id: ["''", 'row.agent_id'],
      campaign_id: ["''", 'row.campaign_id'],
      status: 'row.status',
    },
    number: 'calls',
  },
  {
    what: 'calls by their start',
    of: 'calls',
    in: 'call_counts_by_start',
    where: isOfCampaign,
    groups: {
      campaign_id: 'row.campaign_id',
      quarter: 'row.started_at - row.started_at % 900000',
      outcome: 'row.status',
      answered: '(row.answered_at IS NOT NULL)',
    },
    number: 'calls',
  },
  {
    what: 'calls by their end',
    of: 'calls',
    in: 'call_counts_by_end',
    where: isOfCampaign,
    groups: {
      campaign_id: 'row.campaign_id',
      quarter: 'row.ended_at - row.ended_at % 900000',
      outcome: 'row.status',
    },
    number: 'calls',
  },
  {
    what: 'figures of calls',
    of: 'calls',
    in: 'call_figures',
    where: "row.status IS NOT NULL AND row.channel <> 'web'",
    keys: {
      ...byOrganization,
      quarter: 'coalesce(row.started_at, row.created_at) - coalesce(row.started_at, row.created_at) % 900000',
      agent_id: 'row.agent_id',
      edition: 'coalesce(row.agent_edition, 0)',
      campaign_id: "coalesce(row.campaign_id, '')",
      phone_number_id: 'row.phone_number_id',
      direction: 'row.direction',
    },
    figures: {
      calls: '1',
      answered: '(row.answered_at IS NOT NULL)',
      completed: "(row.status = 'completed')",
      voicemail: "(row.status = 'voicemail')",
      no_answer: "(row.status = 'no_answer')",
      busy: "(row.status = 'busy')",
      failed: "(row.status = 'failed')",
      goals_met: "coalesce(json_extract(row.analysis, '$.goals_met') = 1, 0)",
      goals_judged: "(json_extract(row.analysis, '$.goals_met') IS NOT NULL)",
      talk_sec: 'row.duration_sec',
      cost: 'row.cost_total',
      ...Object.fromEntries(
        Array.from({ length: 20 }, (_, bucket) => [
          `latency_${bucket}`,
          `coalesce(min(19, max(0, row.call_latency_ms / 100 - 1)) = ${bucket}, 0)`,
        ]),
      ),
    },
  },
  {
    what: 'live calls',
    of: 'calls',
    in: 'live_call_counts',
    where: 'row.status IS NULL',
    groups: { ...byOrganization, driver: 'row.driver' },
    number: 'calls',
  },
  {
    what: 'campaign contacts',
    of: 'campaign_contacts',
    in: 'campaigns',
    by: { id: 'row.campaign_id' },
    counts: {
      busy: "row.status = 'busy'",
      voicemail: "row.status = 'voicemail'",
      cancelled: "row.status = 'cancelled'",
      expired: "row.status = 'expired'",
    },
  },
  {
    what: 'deliveries',
    of: 'webhook_deliveries',
    in: 'delivery_counts',
    by: { ...byOrganization, endpoint_id: 'row.endpoint_id' },
    counts: {
      total: 'true',
      retrying: "row.status = 'retrying'",
      held: "row.status = 'held'",
      delivered: "row.status = 'delivered'",
      exhausted: "row.status = 'exhausted'",
      cancelled: "row.status = 'cancelled'",
    },
    // In this table, because its row is written for every delivery anyway.
    highest: { last_delivered_at: 'row.delivered_at' },
    inBatches: true,
  },
  {
    what: 'deliveries by hour',
    of: 'webhook_deliveries',
    in: 'deliveries_by_hour',
    where: 'row.delivered_at IS NOT NULL',
    keys: {
      hour: 'row.delivered_at - row.delivered_at % 3600000',
      ...byOrganization,
      endpoint_id: 'row.endpoint_id',
    },
    figures: { delivered: '1' },
    inBatches: true,
  },
  {
    what: 'sources',
    of: 'knowledge_sources',
    in: 'knowledge_source_counts',
    where: 'row.removed_at IS NULL',
    groups: { knowledge_base_id: 'row.knowledge_base_id', type: 'row.type', status: 'row.status' },
    number: 'sources',
  },
  {
    what: 'pages of crawls',
    of: 'knowledge_pages',
    in: 'knowledge_crawls',
    by: { source_id: 'row.source_id' },
    counts: {
      pages_found: 'row.document_id IS NOT NULL',
      pages_kept: "row.state = 'kept'",
      pages_new: "row.kind = 'page' AND row.state = 'found'",
      pages_requested: "row.kind = 'page' AND row.state IN ('blocked', 'asking')",
      files_requested: "row.kind <> 'page' AND row.state IN ('blocked', 'asking')",
      sitemaps: "row.kind = 'sitemap'",
    },
  },
  {
    what: 'passages',
    of: 'retrieval_passages',
    in: 'retrieval_bases',
    by: { id: 'row.base_id' },
    counts: { passages: 'true' },
    sums: { words: 'row.length' },
  },
  {
    what: 'passages that wait for a vector',
    of: 'retrieval_unembedded',
    in: 'retrieval_bases',
    by: { id: 'row.base_id' },
    counts: { pending: 'true' },
  },
];
