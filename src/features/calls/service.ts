import { emptyObject, type JsonObject } from '../../base/json.ts';
import { conflict, notFound } from '../../base/errors.ts';
import { faultPoint } from '../../base/fault-points.ts';
import { onCommit, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { maxBatchRows } from '../../kernel/batch-size.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { cancel, enqueue, isQueued } from '../../kernel/queue.ts';
import type { SpeechFacts } from '../../telephony/audio/speech.ts';
import type { SipFacts } from '../../telephony/dialog/reports.ts';
import type { Agent } from '../agents/agent.ts';
import { countCall } from '../agents/service.ts';
import * as numbers from '../numbers/service.ts';
import * as organizations from '../organizations/service.ts';
import {
  type Call,
  type CallOutcome,
  type CallState,
  plainOutcome,
  type ScriptedCall,
  startOf,
  type TranscriptEntry,
} from './call.ts';
import { conversationSoFar, costOf } from './carriers/placing.ts';
import { callEnded } from './events.ts';
import { callsEnded } from './meters.ts';
import * as lists from './call-list-store.ts';
import type { CallFilter } from './call-list-store.ts';
import { dialCall, dialLane, endSilentCalls, hangUpCall, hangUpLane, startCall } from './kinds.ts';
import { setEnd as setEndOfRecording } from './recordings/store.ts';
import * as store from './store.ts';

export type { CallFilter } from './call-list-store.ts';
export { liveOf } from './store.ts';

/** A call whose end is not reported fails this long after its maximum duration. */
export const leaseGraceMs = 60_000;

/** The `paceAt` of number and organization after this call (pacing.ts). */
export type Paces = { numberPaceAt: number; orgPaceAt: number };

export type NewCall = Paces & {
  orgId: string;
  agent: Pick<Agent, 'id' | 'agentName' | 'edition' | 'maxCallDurationMs'>;
  phoneNumberId: string;
  /** The driver that the number names; null means that of `carrier.driver`. */
  carrier: string | null;
  from: string;
  to: string;
  attempt: number;
  campaignId?: string;
  campaignContactId?: string;
  contactId?: string | null;
  callerName?: string | null;
  callerEmail?: string | null;
  metadata?: JsonObject;
  simulate?: ScriptedCall | null;
  forced?: boolean;
};

/**
 * Writes a call, reserves capacity of its number and organization, and enqueues the job that dials it at `startAt`. Checks neither limits
 * nor the do-not-call list: the caller has done so in the same transaction.
 */
export async function createCall(app: App, tx: Tx, input: NewCall, startAt: number): Promise<string> {
  const id = app.ids.make();
  const now = app.clock.now();
  const atOnce = startAt <= now;
  const driver = input.carrier ?? app.config.carrier.driver;
  await store.insertCall(tx, {
    id,
    organization_id: input.orgId,
    agent_id: input.agent.id,
    agent_name: input.agent.agentName,
    agent_edition: input.agent.edition,
    phone_number_id: input.phoneNumberId,
    campaign_id: input.campaignId ?? null,
    campaign_contact_id: input.campaignContactId ?? null,
    contact_id: input.contactId ?? null,
    attempt: input.attempt,
    driver,
    ...(driver === 'sip' ? { channel: 'sip' } : {}),
    from_phone: input.from,
    to_phone: input.to,
    caller_name: input.callerName ?? null,
    caller_email: input.callerEmail ?? null,
    ...(input.forced ? { forced: 1 } : {}),
    ...(input.simulate ? { simulate: JSON.stringify(input.simulate) } : {}),
    metadata: (input.metadata ?? emptyObject).text,
    max_duration_ms: input.agent.maxCallDurationMs,
    state: atOnce ? 'dialing' : 'queued',
    created_at: now,
    slot_at: atOnce ? now : null,
    started_at: atOnce ? now : null,
  });
  await organizations.reserveCapacity(tx, input.orgId, input.orgPaceAt);
  await numbers.reserveCapacity(tx, input.phoneNumberId, input.numberPaceAt);
  if (atOnce) await enqueueDial(app, tx, { ...input, id, maxDurationMs: input.agent.maxCallDurationMs }, now);
  else await enqueue(app, tx, startCall, { key: id, dueAt: startAt, payload: { callId: id } });
  return id;
}

type DialedCall = { id: string; orgId: string; campaignId?: string | null; maxDurationMs: number };

async function enqueueDial(app: App, tx: Tx, call: DialedCall, now: number): Promise<void> {
  const { id } = call;
  await enqueue(app, tx, dialCall, { key: id, lane: dialLane(call), dueAt: now, payload: { callId: id } });
  await checkSilence(app, tx, call.orgId, now + call.maxDurationMs + leaseGraceMs);
}

/**
 * Takes back a call that the carrier certainly does not have, as if it had never been made: deletes it and its jobs, and releases its
 * capacity. Emits no event.
 */
export async function withdrawCall(tx: Tx, call: Call): Promise<void> {
  await store.deleteCall(tx, call.id);
  await cancel(tx, dialCall, call.id);
  await organizations.releaseCapacity(tx, call.orgId);
  await numbers.releaseCapacity(tx, call.phoneNumberId);
}

/**
 * Makes sure that by `dueAt` the organization's live calls are looked through for those whose end was not reported. One job does it for all,
 * because a job for each call would be written and deleted with nearly every call for nothing.
 */
export const checkSilence = (app: App, tx: Tx, orgId: string, dueAt: number): Promise<void> =>
  enqueue(app, tx, endSilentCalls, {
    key: orgId,
    dueAt,
    payload: { after: '', earliest: null },
    onConflict: 'if_earlier',
  });

/** Sets the start of a call that is about to be handed to the carrier. */
export const startAnew = (tx: Tx, callId: string, now: number): Promise<void> =>
  store.updateCall(tx, callId, { slot_at: now, started_at: now });

/** Dials a queued call now; `startQueued` (place.ts) has checked that it still may be dialed. */
export async function dialQueued(app: App, tx: Tx, call: Call): Promise<void> {
  const now = app.clock.now();
  await store.updateCall(tx, call.id, { state: 'dialing', slot_at: now, started_at: now });
  await enqueueDial(app, tx, call, now);
}

/** A carrier's report about a live call. `at` (Unix milliseconds) defaults to the time of the report. */
export type CallProgress =
  | { type: 'ringing' }
  | { type: 'answered'; at?: number }
  | { type: 'transcript'; entries: TranscriptEntry[] };

/** Applies a report. Late and repeated reports change nothing, except that new transcript entries are always stored. */
export async function reportProgress(app: App, tx: Tx, call: Call, progress: CallProgress): Promise<void> {
  if (progress.type === 'transcript') await addEntries(tx, call, progress.entries);
  else if (call.state === 'ended') return;
  else if (progress.type === 'answered' && call.state !== 'in_progress') await recordAnswer(app, tx, call, progress.at);
  else if (progress.type === 'ringing' && call.state === 'dialing') {
    await store.updateCall(tx, call.id, { state: 'ringing' });
  }
}

async function recordAnswer(app: App, tx: Tx, call: Call, at: number | undefined): Promise<void> {
  const now = app.clock.now();
  const answeredAt = clamp(at ?? now, startOf(call), now);
  await store.updateCall(tx, call.id, { state: 'in_progress', answered_at: answeredAt });
}

/** Records that the carrier never had a call after all: it counts for no limit of calls to its number. */
export const recordNotHandedOver = (tx: Tx, callId: string): Promise<void> =>
  store.updateCall(tx, callId, { handed_over_at: null });

/** Stores the facts that the carrier `sip` knows about a live or ended call. */
export const recordSip = (tx: Tx, callId: string, facts: SipFacts): Promise<void> =>
  store.updateCall(tx, callId, { sip: JSON.stringify(facts) });

/** Stores the facts about the speech of a live or ended call. */
export const recordSpeech = (tx: Tx, callId: string, facts: SpeechFacts): Promise<void> =>
  store.updateCall(tx, callId, { speech: JSON.stringify(facts) });

/** Adds entries to the transcript of a call; one that is there already is replaced. */
export async function recordTranscript(tx: Tx, call: Call, entries: readonly TranscriptEntry[]): Promise<void> {
  const byId = new Map([...call.transcripts, ...entries].map((entry) => [entry.id, entry]));
  const merged = [...byId.values()].toSorted((a, b) => a.timestamp_ms - b.timestamp_ms);
  await store.updateCall(tx, call.id, { transcripts: JSON.stringify(merged) });
}

/** Keeps a reported instant after the previous event and out of the future, because the carrier's clock may differ from ours. */
const clamp = (at: number, earliest: number, latest: number): number => Math.min(Math.max(at, earliest), latest);

/** The instant at which a call fails if its end has not been reported by then. */
export const leaseUntil = (call: Omit<store.LiveCall, 'id' | 'state'>): number =>
  (call.answeredAt ?? startOf(call)) + call.maxDurationMs + leaseGraceMs;

async function addEntries(tx: Tx, call: Call, entries: readonly TranscriptEntry[]): Promise<void> {
  const stored = new Set(call.transcripts.map((entry) => entry.id));
  const merged = [...call.transcripts, ...entries.filter((entry) => !stored.has(entry.id))];
  merged.sort((a, b) => a.timestamp_ms - b.timestamp_ms);
  await store.updateCall(tx, call.id, { transcripts: JSON.stringify(merged) });
}

/** Like `endCall`; does nothing if there is no such call. */
export async function endCallById(app: App, tx: Tx, callId: string, outcome: CallOutcome): Promise<void> {
  const call = await store.callById(tx, callId);
  if (call) await endCall(app, tx, call, outcome);
}

/**
 * Ends a call that was read in this transaction: updates its row, releases capacity, counts it for the agent, and tells the subscribers
 * (campaign contact, webhooks). Does nothing if the call has ended.
 */
export async function endCall(app: App, tx: Tx, call: Call, reported: CallOutcome): Promise<void> {
  if (call.state === 'ended') return;
  const { summary, analysis } = reported;
  // A call that waits for its analysis has ended already, and nothing changes how.
  const outcome = call.ending === null ? reported : { ...call.ending, summary, analysis };
  const ended = endedCall(call, outcome, app.clock.now());
  const tell = app.events.begin(app, tx, callEnded, { call: ended, invalidNumber: outcome.invalidNumber });
  if (ended.costTotal === 0 && ended.durationSec > 0) ended.costTotal = await costOf(app, tx, call, ended.durationSec);
  await store.updateCall(tx, call.id, {
    state: 'ended',
    status: ended.status,
    disconnect_reason: ended.disconnectReason,
    error_message: ended.errorMessage,
    duration_sec: ended.durationSec,
    summary: ended.summary,
    recording_url: ended.recordingUrl,
    cost_total: ended.costTotal,
    call_latency_ms: ended.callLatencyMs,
    analysis: ended.analysis === null ? null : JSON.stringify(ended.analysis),
    transcripts: JSON.stringify(ended.transcripts),
    answered_at: ended.answeredAt,
    ended_at: ended.endedAt,
    ending: null,
  });
  if (ended.recordingUrl !== null) await setEndOfRecording(tx, call.id, ended.endedAt!);
  // A test call uses no line.
  if (call.channel !== 'web') {
    await organizations.releaseCapacity(tx, call.orgId);
    await numbers.releaseCapacity(tx, call.phoneNumberId);
  }
  await countCall(tx, call, outcome.status);
  await tell();
  faultPoint('call-end.uncommitted');
  onCommit(tx, () => {
    faultPoint('call-end.committed');
    callsEnded(app).add({ outcome: ended.status!, carrier: call.driver, direction: call.direction });
  });
}

/** Keeps how a call has ended until its analysis is there. The call stays `in_progress`. */
export async function keepEnding(app: App, tx: Tx, call: Call, outcome: CallOutcome): Promise<void> {
  const { endedAt, durationSec } = endedCall(call, outcome, app.clock.now());
  await store.updateCall(tx, call.id, { ending: JSON.stringify({ ...outcome, endedAt, durationSec }) });
}

function endedCall(call: Call, outcome: CallOutcome, now: number): Call {
  const endedAt = clamp(outcome.endedAt ?? now, call.answeredAt ?? startOf(call), now);
  const answeredAt = call.answeredAt ?? impliedAnswer(call, outcome, endedAt);
  return {
    ...call,
    ...outcome,
    state: 'ended',
    ending: null,
    durationSec: outcome.durationSec ?? (answeredAt === null ? 0 : Math.round((endedAt - answeredAt) / 1000)),
    recordingUrl: outcome.recordingUrl ?? call.recordingUrl,
    transcripts: outcome.transcripts ?? call.transcripts,
    answeredAt,
    endedAt,
  };
}

/** When the call was answered, if its end shows that it was, although no answer was reported: it is completed or has a duration. */
function impliedAnswer(call: Call, { status, durationSec = 0 }: CallOutcome, endedAt: number): number | null {
  if (status !== 'completed' && durationSec === 0) return null;
  return Math.max(endedAt - durationSec * 1000, startOf(call));
}

/**
 * Adds a late report to a call that has already ended, for example because parley hung up. Status, duration and analysis stay, because
 * they have been counted. Fills in a missing summary, recording, cost and latency; replaces the transcript if the report has one.
 */
export async function supplement(tx: Tx, call: Call, outcome: CallOutcome): Promise<void> {
  await store.updateCall(tx, call.id, {
    summary: call.summary ?? outcome.summary,
    recording_url: call.recordingUrl ?? outcome.recordingUrl,
    cost_total: call.costTotal === 0 ? outcome.costTotal : call.costTotal,
    call_latency_ms: call.callLatencyMs ?? outcome.callLatencyMs,
    transcripts: JSON.stringify(outcome.transcripts ?? call.transcripts),
  });
}

/** Fails a call whose end was not reported in time, and tells the carrier to hang up. The time counts from the answer. */
export async function endSilent(app: App, tx: Tx, callId: string): Promise<void> {
  const call = await store.callById(tx, callId);
  if (!call || call.state === 'ended') return;
  const until = leaseUntil(call);
  if (app.clock.now() < until) return checkSilence(app, tx, call.orgId, until);
  const errorMessage = 'The carrier did not report the end of the call in time.';
  await endCall(app, tx, call, plainOutcome('failed', { errorMessage }));
  await enqueueHangUp(app, tx, call);
}

/** Enqueues the request to the carrier to hang up. */
export const enqueueHangUp = (app: App, tx: Tx, call: Pick<Call, 'id' | 'campaignId'>): Promise<void> =>
  enqueue(app, tx, hangUpCall, {
    key: call.id,
    lane: hangUpLane(call),
    dueAt: app.clock.now(),
    payload: { callId: call.id },
  });

/**
 * Ends the call at once, as `no_answer` if it was not answered, else as `completed` with what was said until now, and enqueues the hang-up
 * at the carrier.
 * @throws notFound when the organization has no such call; conflict when the call has already ended
 */
export function hangUp(app: App, orgId: string, callId: string): Promise<Call> {
  return transact(app.db, orgId, async (tx) => {
    const call = await callOf(tx, orgId, callId);
    if (call.state === 'ended') throw conflict('The call has already ended.');
    await hangUpLive(app, tx, call);
    return callOf(tx, orgId, callId);
  });
}

/** Hangs up a call that was read in this transaction and has not ended. */
export async function hangUpLive(app: App, tx: Tx, call: Call): Promise<void> {
  await store.updateCall(tx, call.id, { hangup_requested: 1 });
  await cancel(tx, startCall, call.id);
  // While the dial job runs, the carrier may not know the call yet: that job passes the hang-up on.
  const isBeingDialed = call.state === 'dialing' && (await isQueued(tx, dialCall, call.id));
  if (call.state !== 'queued' && !isBeingDialed) await enqueueHangUp(app, tx, call);
  const outcome =
    call.answeredAt === null
      ? plainOutcome('no_answer')
      : plainOutcome('completed', { ...(await conversationSoFar(app, call)), disconnectReason: 'agent_hangup' });
  await endCall(app, tx, call, outcome);
}

async function callOf(tx: Tx, orgId: string, callId: string): Promise<Call> {
  const call = await store.callOfOrganization(tx, orgId, callId);
  if (!call) throw notFound('call');
  return call;
}

/** @throws notFound when the organization has no such call */
export async function getCall(app: App, orgId: string, callId: string): Promise<Call> {
  const call = await store.callOfOrganization(app.db, orgId, callId);
  if (!call) throw notFound('call');
  return call;
}

/** For jobs and carriers: a call of any organization. */
export type CallSubject = store.CallSubject;

/** Whom calls were about, by id; ids of no call of the organization are left out. */
export const subjectsOfCalls = (app: App, orgId: string, ids: readonly string[]): Promise<Map<string, CallSubject>> =>
  store.subjectsOf(app.db, orgId, ids);

export const findCall = (tx: App['db'], callId: string): Promise<Call | undefined> => store.callById(tx, callId);

/** The calls of a carrier driver, of all organizations, that have not ended. */
export const liveCallsOfDriver = (db: App['db'], driver: string): Promise<Array<{ id: string; orgId: string }>> =>
  store.liveCallsOfDriver(db, driver);

/** How many calls of a carrier driver have not ended, by state. */
export const liveCallStates = (db: App['db'], driver: string): Promise<Map<CallState, number>> =>
  store.liveCallStates(db, driver);

/** The call of an earlier attempt to reach the same campaign contact. */
export const callOfAttempt = (tx: Tx, campaignContactId: string, attempt: number): Promise<Call | undefined> =>
  store.callOfAttempt(tx, campaignContactId, attempt);

/** Of the newest 10,000 calls, those whose called number or called person's name contains `text` (folded), newest first. */
export const searchCalls = (app: App, orgId: string, text: string, limit: number): Promise<Call[]> =>
  lists.searchCalls(app.db, orgId, text, limit);

export const listCalls = (app: App, orgId: string, filter: CallFilter, page: Page): Promise<Paged<Call>> =>
  lists.listCalls(app.db, orgId, filter, page);

type OfContact = { orgId: string; contactId: string };

/** @throws conflict while the contact is on the phone */
export async function onContactDeleting(_app: App, tx: Tx, { orgId, contactId }: OfContact): Promise<void> {
  if (await store.hasLiveCallOfContact(tx, orgId, contactId))
    throw conflict('The contact is on the phone. Hang up the call or wait for its end.');
}

/** Clears the contact in past calls, which stay. */
export async function onContactForgetting(
  _app: App,
  tx: Tx,
  { orgId, contactId, batch }: OfContact & { batch: { isLast: boolean } },
): Promise<void> {
  if ((await store.forgetContact(tx, orgId, contactId, maxBatchRows)) === maxBatchRows) batch.isLast = false;
}

/** @throws conflict while the agent is on the phone */
export async function onAgentDeleting(
  _app: App,
  tx: Tx,
  { orgId, agentId }: { orgId: string; agentId: string },
): Promise<void> {
  if (await store.hasLiveCallOfAgent(tx, orgId, agentId))
    throw conflict('The agent is on the phone. Hang up its calls or wait for their end.');
}
