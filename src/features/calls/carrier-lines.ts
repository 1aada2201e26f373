import { decideAlone, onCommit, type Queryable, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { nodeState } from '../../kernel/node.ts';
import { maxCallsOf } from './carriers/placing.ts';
import { liveCallsByOrganization } from './store.ts';

/** When an organization last found no line (one of the calls that a carrier may have at once), and the transaction that gives it one. */
type Asker = { at: number; servedIn?: Tx };

/** By carrier and organization. */
const askers = nodeState('carrierLines', () => new Map<string, Map<string, Asker>>());

/** How long (ms) a line is kept for an organization that asked for one and got none. Waiting campaigns ask again every second. */
const keptMs = 3000;
export const lookAgainMs = 1000;

export type LineRequest = {
  orgId: string;
  /** The driver that the caller number names; null for that of `carrier.driver`. */
  carrier: string | null;
};

/**
 * Why the carrier has no line for another call of the organization, as a sentence; undefined if it has one. A line is kept for each
 * organization that got none in the last seconds and has fewer calls than this one. Remembers an organization that gets no line,
 * also if the transaction fails; one that gets a line keeps its turn until that is committed.
 */
export async function askForLine(app: App, tx: Tx, request: LineRequest): Promise<string | undefined> {
  if (hasMaxCalls(app, request)) await decideAlone(tx, 'carrier lines');
  const reason = await reasonForNoLine(app, tx, request);
  const waiting = askersOf(app, request);
  if (reason === undefined) served(tx, waiting, request.orgId);
  else waiting.set(request.orgId, { at: app.clock.now() });
  return reason;
}

/** The rest of the transaction counts the organization's new call, so it must not keep a line for the organization as well. */
function served(tx: Tx, waiting: Map<string, Asker>, orgId: string): void {
  const asker = waiting.get(orgId);
  if (!asker) return;
  asker.servedIn = tx;
  onCommit(tx, () => {
    if (waiting.get(orgId) === asker) waiting.delete(orgId);
  });
}

/** Like `askForLine`, but remembers nothing; for showing the reason. */
export async function reasonForNoLine(app: App, db: Queryable, request: LineRequest): Promise<string | undefined> {
  const driver = driverOf(app, request);
  const limit = maxCallsOf(app, driver);
  if (limit === undefined) return undefined;
  const live = await liveCallsByOrganization(db, driver);
  const total = [...live.values()].reduce((sum, calls) => sum + calls, 0);
  const own = live.get(request.orgId) ?? 0;
  const now = app.clock.now();
  const before = [...askersOf(app, request)].filter(
    ([orgId, { at, servedIn }]) =>
      orgId !== request.orgId && servedIn !== db && now - at <= keptMs && (live.get(orgId) ?? 0) < own,
  );
  if (total + before.length < limit.calls) return undefined;
  return `All ${limit.calls} lines of the carrier ${driver} are in use (${limit.setting}).`;
}

/** Whether the carrier bounds the live calls of all organizations. */
export const hasMaxCalls = (app: App, number: Pick<LineRequest, 'carrier'>): boolean =>
  maxCallsOf(app, driverOf(app, number)) !== undefined;

const driverOf = (app: App, { carrier }: Pick<LineRequest, 'carrier'>): string => carrier ?? app.config.carrier.driver;

function askersOf(app: App, request: LineRequest): Map<string, Asker> {
  const byDriver = askers(app);
  const driver = driverOf(app, request);
  const known = byDriver.get(driver) ?? new Map<string, Asker>();
  byDriver.set(driver, known);
  const now = app.clock.now();
  for (const [orgId, { at }] of known) if (now - at > keptMs) known.delete(orgId);
  return known;
}
