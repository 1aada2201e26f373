import { within } from '../../../base/clock.ts';
import { conflict } from '../../../base/errors.ts';
import { faultPoint } from '../../../base/fault-points.ts';
import { type Queryable, transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { cancel } from '../../../kernel/queue.ts';
import { forEachLive, isOutgoing, outgoingInFlight } from '../../calls/bulk-hang-up.ts';
import type { Call } from '../../calls/call.ts';
import { dialsSettled } from '../../calls/dials-in-progress.ts';
import { hangUpLive } from '../../calls/service.ts';
import { isTakenBackByCarrier, lookAgain, takeBack, withdrawalsSettled } from '../../calls/withdrawal.ts';
import { type CallingStop, callingStopOf, setCallingStop } from '../../organizations/calling-stop.ts';
import type { Actor } from '../../requests/audit.ts';
import type { Campaign } from '../campaign.ts';
import { campaignTick, tickAt } from '../kinds.ts';
import { recordEvent } from '../results/history.ts';
import { followWindow } from '../schedule/window-events.ts';
import { campaignById, updateCampaign } from '../store.ts';
import * as store from './store.ts';

/** Stops all calling of an organization, and resumes it (docs/calling.md, "Stop all calling"). */

/** Which calls a stop hangs up: none, those that have not been answered, or all. */
export const hangUps = ['none', 'ringing', 'all'] as const;
export type HangUp = (typeof hangUps)[number];

type Named = { id: string; name: string };

/** Answers list at most this many campaigns; a stop holds and resumes all of them. */
const maxListed = 1000;

export type Calling = {
  stop: CallingStop | null;
  /** The campaigns that the stop held. */
  campaigns: Named[];
  inFlight: { ringing: number; talking: number };
};

export const callingOf = async (app: App, orgId: string): Promise<Calling> => ({
  ...(await stateOf(app.db, orgId)),
  inFlight: await outgoingInFlight(app, orgId),
});

async function stateOf(db: Queryable, orgId: string): Promise<Pick<Calling, 'stop' | 'campaigns'>> {
  const stop = await callingStopOf(db, orgId);
  const held = stop === null ? [] : await store.heldCampaigns(db, orgId, maxListed);
  return { stop, campaigns: held.map(({ id, name }) => ({ id, name })) };
}

/** How long a stop waits for the calls that are being handed over, in real milliseconds. A carrier that does not answer has them already. */
const settleMs = 1000;

/**
 * Holds every running campaign and forbids every call, in one transaction; then takes back the calls that no carrier has yet, waits for the
 * hand-overs that have begun, and hangs up as `hangUp` says. Stopped already: only hangs up.
 */
export async function stopCalling(
  app: App,
  orgId: string,
  { reason, hangUp, actor }: { reason: string | null; hangUp: HangUp; actor: Actor },
): Promise<Calling & { stop: CallingStop; hungUp: number }> {
  await transact(app.db, orgId, async (tx) => {
    if ((await callingStopOf(tx, orgId)) === null)
      await holdAll(app, tx, orgId, { at: app.clock.now(), by: actor, reason });
    lookAgain(app, tx, orgId);
  });
  faultPoint('stop.committed');
  const settled = Promise.all([dialsSettled(app, orgId), withdrawalsSettled(app, orgId)]).then(() => undefined);
  await within(settleMs, settled, () => undefined);
  const hungUp = await forEachLive(app, orgId, async (tx, call) => {
    const fate = fateOf(app, call, hangUp);
    if (fate === 'taken back') await takeBack(app, tx, call, 'Calling was stopped.');
    else if (fate === 'hung up') await hangUpLive(app, tx, call);
    return fate === 'hung up';
  });
  const calling = await callingOf(app, orgId);
  if (calling.stop === null) throw conflict('Calling was resumed meanwhile.');
  return { ...calling, stop: calling.stop, hungUp };
}

/** What a stop does to a live call. */
function fateOf(app: App, call: Call, hangUp: HangUp): 'goes on' | 'taken back' | 'hung up' {
  if (!isOutgoing(call)) return 'goes on';
  if (call.handedOverAt === null && call.answeredAt === null && call.state !== 'ringing') return 'taken back';
  if (isTakenBackByCarrier(app, call)) return 'goes on';
  if (call.state === 'dialing') return 'hung up';
  return hangUp === 'all' || (hangUp === 'ringing' && call.answeredAt === null) ? 'hung up' : 'goes on';
}

async function holdAll(app: App, tx: Tx, orgId: string, stop: CallingStop): Promise<void> {
  await setCallingStop(tx, orgId, stop);
  const detail = stop.reason === null ? {} : { reason: stop.reason };
  for (const campaign of await store.runningCampaigns(tx, orgId)) {
    await store.insertHeld(tx, campaign);
    const paused = { execution_status: 'paused', waiting_for: null, wake_at: null, updated_at: stop.at } as const;
    await updateCampaign(tx, campaign.id, paused);
    await cancel(tx, campaignTick, campaign.id);
    await followWindow(app, tx, { ...campaign, executionStatus: 'paused' });
    await recordEvent(app, tx, campaign.id, 'stopped', stop.by, detail);
  }
}

/** Why a campaign that the stop held does not run again. */
export const keptReasons = ['paused', 'completed', 'deleted'] as const;
type KeptReason = (typeof keptReasons)[number];

export type Resumed = { resumed: Named[]; notResumed: Array<Named & { reason: KeptReason }> };

/**
 * Ends the stop: exactly the campaigns that it held run again, unless somebody paused, completed or deleted them since.
 * @throws conflict when calling is not stopped
 */
export function resumeCalling(app: App, orgId: string, actor: Actor): Promise<Resumed> {
  return transact(app.db, orgId, async (tx) => {
    if ((await callingStopOf(tx, orgId)) === null) throw conflict('Calling is not stopped.');
    await setCallingStop(tx, orgId, null);
    const result: Resumed = { resumed: [], notResumed: [] };
    for (const { id, name, paused } of await store.heldCampaigns(tx, orgId, Number.MAX_SAFE_INTEGER)) {
      const campaign = await campaignById(tx, id);
      const reason = reasonToKeep(campaign, paused);
      if (reason === null) {
        await resume(app, tx, campaign!, actor);
        result.resumed.push({ id, name });
      } else result.notResumed.push({ id, name, reason });
    }
    await store.forgetHeld(tx, orgId);
    return result;
  });
}

function reasonToKeep(campaign: Campaign | undefined, paused: boolean): KeptReason | null {
  if (!campaign) return 'deleted';
  if (campaign.status === 'completed') return 'completed';
  return paused || campaign.status !== 'active' ? 'paused' : null;
}

async function resume(app: App, tx: Tx, campaign: Campaign, actor: Actor): Promise<void> {
  const now = app.clock.now();
  await updateCampaign(tx, campaign.id, { execution_status: 'running', updated_at: now });
  await recordEvent(app, tx, campaign.id, 'resumed', actor);
  await tickAt(app, tx, campaign.id, now);
  await followWindow(app, tx, { ...campaign, executionStatus: 'running' });
}
