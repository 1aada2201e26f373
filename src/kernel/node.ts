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
