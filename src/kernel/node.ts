import type { App } from './app.ts';

/**
 * Everything that holds only because one process owns the data, each with what several nodes on one database would need instead. State in
 * memory that other nodes would have to know goes through `nodeState`.
 */
export const nodeFacts = {
  apiKeys:
    'API keys in use are cached, and forgotten when changed here. Several nodes: tell the others, or read each time.',
  sessionUses:
    'When each session was last used; written once a minute (organizations/sessions/service.ts). Several nodes: each writes its own, and a session may end a minute early.',
  deliveriesInFlight:
    'Deliveries being sent; `delivering` is never stored. Several nodes: the lease of the job says it.',
  eventFollowers:
    'Who follows events as they come (webhooks/followers.ts). Several nodes: notify the others of each event.',
  requestsInProgress: 'Idempotency keys whose first request is still running. Several nodes: a row with a lease.',
  rateBuckets:
    'Rate limits per caller and per address. Several nodes: a share of the limit for each, or a shared counter.',
  failedLogIns:
    'Failed log-ins, by which e-mail addresses are locked (organizations/log-in/login-guard.ts). Several nodes: a share of the limit each.',
  auditSummaries:
    'Refusals of the last minute that are not in the audit log yet (requests/audit-summary.ts). Several nodes: each counts its own.',
  notices:
    'Recent e-mails about each endpoint and to each person (notifications/notice-limit.ts). Several nodes: each counts its own.',
  planFacts:
    'What plans depend on, and how often it was edited (campaigns/plan/cache.ts). Several nodes: a number of edits in the database.',
  contactIndexing:
    'Whether pending contacts are being indexed for search (contacts/search.ts). Several nodes: a lease, so that one of them indexes.',
  leases:
    'A start voids all leases, since whoever held them is dead. Several nodes: a lease names its node and expires.',
  agenda: 'When each lane has work due (jobs/agenda.ts). Several nodes: notify on enqueue, or poll.',
  pools:
    'How many jobs of a pool, an organization and a lane are running (jobs/pools.ts). Several nodes: count the claims in the database.',
  carrierLines:
    'Which organizations wait for a line of a carrier with a limit (calls/carrier-lines.ts). Several nodes: rows that expire.',
  invalidNumbers:
    'How many calls in a row from a number reached nobody because the called number does not exist (calls/carriers/sip). Several nodes: a column of the number.',
  runningImports:
    'The ids of running imports (contacts/import/progress.ts). Several nodes: a lease, so that a dead node has none running.',
  unconfirmedWithdrawals:
    'Withdrawals of calls that the carrier of this process has not confirmed (calls/withdrawal.ts). Several nodes: tell the node that has the call.',
  dialsInProgress:
    'The dial jobs that run in this process (calls/dials-in-progress.ts). Several nodes: ask each node that runs dial jobs.',
  liveStreams:
    'Open live streams: how many of an owner and in all, and who hears what (live/streams.ts). Several nodes: count and notify through the database.',
  bookings:
    'Bookings that the agent of a call made, so that a repeated use of the tool books nothing twice (calendar/call-tools.ts). Several nodes: only the node of the call is asked.',
  conversations:
    'Conversations with agents by text, which are never stored (calls/conversations). Several nodes: send the requests of one to its node.',
  joins:
    'Requests that wait until their contacts have joined a campaign (campaigns/contacts/joining.ts). Several nodes: the job tells the node that waits.',
  batchSizes: 'How many rows a batch may change (kernel/batch-size.ts). Several nodes: each learns its own.',
  carrierChoices:
    'Which carriers this process has, as far as its settings go (numbers/carrier-choice.ts). Several nodes: the settings of those that dial.',
  dialogs:
    'Dialogs, sound and books of the telephony thread (calls/carriers/sip). A start ends every live call of the carrier. Several nodes: only those of this node and of nodes given up.',
  trunkSources:
    'Addresses from which trunks may call, resolved by this process and told to its telephony thread (calls/carriers/sip/trunk-sources.ts). Several nodes: tell the others when a number changes.',
  registrations:
    'Accounts that are registered at trunks (telephony/registration). Several nodes: a lease for each, held by one node.',
  recordings:
    'Where recordings lie (calls/recordings/files.ts). Several nodes: a shared directory, or ask the node that has the file.',
  outboundRequests:
    'Requests under way and connections by host, and the share of name look-ups (base/outbound). Several nodes: a share of each limit.',
  waitingRequests:
    'Requests that wait for their turn, and uploads and their space (http/pending.ts, http/input). Several nodes: each limits its own.',
  secrets:
    'secrets.json in the data directory, read at the start. Several nodes: the same file for each, checked at the start.',
  fileLock: 'A lock file keeps other processes out (db/sqlite/file-lock.ts). Several nodes: not needed.',
  ids: 'A counter keeps the ids of one millisecond in order (base/ids.ts). Several nodes: in order within a node only.',
} as const;

/** State of this process that one of the facts describes: one value per app, made when it is first asked for. */
export const nodeState = <T extends object>(_fact: keyof typeof nodeFacts, make: (app: App) => T): ((app: App) => T) =>
  appLocal(make);

/** One value per app, made when it is first asked for; for objects that are derived from the app, such as a reader. */
export function appLocal<T extends object>(make: (app: App) => T): (app: App) => T {
  const byApp = new WeakMap<App, T>();
  return (app) => {
    const known = byApp.get(app) ?? make(app);
    byApp.set(app, known);
    return known;
  };
}
