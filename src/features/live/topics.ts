import { type Day, todayOf } from '../analytics/analytics.ts';
import { presentFigures } from '../analytics/figures.ts';
import { isoOf, isoOrNull } from '../../base/clock.ts';
import { notFound } from '../../base/errors.ts';
import { isUuid } from '../../base/ids.ts';
import type { App } from '../../kernel/app.ts';
import type { Call } from '../calls/call.ts';
import { namesOf } from '../calls/names.ts';
import { type CallFilter, getCall, listCalls } from '../calls/service.ts';
import { timelineOf } from '../calls/timeline.ts';
import { talkingIn, transcriptNow, verdictsOf } from '../calls/watching.ts';
import { callingOf } from '../campaigns/stop/stop.ts';
import { presentCalling } from '../campaigns/stop/wire.ts';
import { windowOf } from '../campaigns/schedule/schedule.ts';
import { progressOf } from '../contacts/import/progress.ts';
import { presentProgress } from '../contacts/import/progress-wire.ts';
import { getCampaign } from '../campaigns/service.ts';
import { isOpen, nextOpening } from '../campaigns/schedule/window.ts';
import { statusOf, sumOf } from '../knowledge/bases/knowledge-base.ts';
import { failingBases, knowledgeBaseWithSources } from '../knowledge/bases/service.ts';
import { numbersOutOfReach } from '../numbers/carrier-reach.ts';
import { countUnread } from '../notifications/service.ts';
import { countDeliveries } from '../webhooks/service.ts';
import { callingStopOf } from '../organizations/calling-stop.ts';
import * as store from './store.ts';

/** Something to watch. `read` returns its present state, and throws notFound if `isOfOne` and the thing does not exist. */
export type Topic = {
  name: string;
  event: string;
  isOfOne: boolean;
  /** Real time between two looks; default: a second. */
  everyMs?: number;
  read(): Promise<object>;
  /** Whether nothing follows this state. */
  isLast?(state: object): boolean;
};

const maxCalls = 100;
const maxCampaignCalls = 20;
const maxLatest = 8;
const maxEndpoints = 500;
/** Of each kind. */
const maxIncidents = 50;
/** Counts of notices stop at this number, so that counting costs the same however many there are. */
const maxCounted = 10_000;

const presentCall = (call: Call) => ({
  call_session_id: call.id,
  campaign_id: call.campaignId,
  contact_id: call.contactId,
  agent_id: call.agentId,
  phone: call.to,
  caller_name: call.callerName,
  state: call.state,
  status: call.status,
  duration_sec: call.durationSec,
  created_at: isoOf(call.createdAt),
  started_at: isoOrNull(call.startedAt),
  ended_at: isoOrNull(call.endedAt),
});

const newestCalls = (app: App, orgId: string, filter: CallFilter, limit: number) =>
  listCalls(app, orgId, filter, { limit, offset: 0, owner: orgId });

type Reader = (app: App, orgId: string, id: string) => Promise<object>;

async function readOverview(app: App, orgId: string): Promise<object> {
  const { failing, held } = await store.endpointTotals(app.db, orgId);
  return {
    in_flight: (await newestCalls(app, orgId, { state: 'live' }, 1)).total,
    calling_stopped: (await callingStopOf(app.db, orgId)) !== null,
    running_campaigns: await store.countRunningCampaigns(app.db, orgId),
    failing_endpoints: failing,
    held_deliveries: held,
    unread_notices: await countUnread(app.db, orgId, maxCounted),
  };
}

async function readCampaign(app: App, orgId: string, id: string): Promise<object> {
  const campaign = await getCampaign(app, orgId, id);
  const now = app.clock.now();
  const window = windowOf(campaign, '');
  const open = isOpen(window, now);
  const { noAnswer, inProgress, ...stats } = campaign.stats;
  return {
    status: campaign.status,
    execution_status: campaign.executionStatus,
    stats: { ...stats, no_answer: noAnswer, in_progress: inProgress },
    in_flight: inProgress,
    started_per_min: await store.countStartsSince(app.db, orgId, id, now - 60_000),
    calls: (await newestCalls(app, orgId, { campaignId: id }, maxCampaignCalls)).items.map(presentCall),
    next_opening_at: open ? null : isoOrNull(nextOpening(window, now)),
    open,
  };
}

async function readCalls(app: App, orgId: string): Promise<object> {
  const { items } = await newestCalls(app, orgId, { state: 'live' }, maxCalls);
  const ids = [...new Set(items.map(({ campaignId }) => campaignId).filter((id) => id !== null))];
  const campaigns = await namesOf(app.db, orgId, 'campaign', ids);
  const verdicts = await verdictsOf(
    app.db,
    items.map(({ id }) => id),
  );
  const inFlight = items.map(async (call) => ({
    ...presentCall(call),
    agent_name: call.agentName,
    campaign_name: call.campaignId === null ? null : (campaigns.get(call.campaignId) ?? null),
    contact_name: call.callerName,
    talking: talkingIn(call, await transcriptNow(app, call)),
    verdict: verdicts.get(call.id) ?? null,
  }));
  return { in_flight: await Promise.all(inFlight) };
}

/** The calls that were made last among those that are over. */
async function readLatest(app: App, orgId: string): Promise<object> {
  const { items } = await newestCalls(app, orgId, { state: 'ended' }, maxLatest);
  return {
    calls: items.map((call) => ({
      ...presentCall(call),
      agent_name: call.agentName,
      goals_met: call.analysis?.goals_met ?? null,
    })),
  };
}

const maxTranscript = 200;
const maxTimeline = 100;

async function readCall(app: App, orgId: string, id: string): Promise<object> {
  const call = await getCall(app, orgId, id);
  const since = call.endedAt ?? call.answeredAt ?? call.startedAt ?? call.createdAt;
  const timeline = await timelineOf(app.db, id);
  return {
    state: call.state,
    status: call.status,
    since: isoOf(since),
    transcript: (await transcriptNow(app, call)).slice(-maxTranscript),
    timeline: timeline.slice(-maxTimeline).map((entry) => ({ ...entry, at: isoOf(entry.at) })),
  };
}

const readDeliveries = async (app: App, orgId: string): Promise<object> => ({
  endpoints: await store.endpointsOf(app.db, orgId, maxEndpoints),
  counts: await countDeliveries(app, orgId),
});

async function readKnowledge(app: App, orgId: string, id: string): Promise<object> {
  const { counts, sources } = await knowledgeBaseWithSources(app.db, orgId, id);
  return {
    status: statusOf(counts),
    source_count: sumOf(counts),
    sources: sources.map((source) => ({
      source_id: source.id,
      status: source.status,
      pages_found: source.type === 'url' ? source.pagesFound : null,
      pages_waiting: source.pagesWaiting,
      error: source.error,
    })),
  };
}

/** What is wrong now: endpoints that fail, numbers whose carrier is out of reach, and knowledge bases with a source that could not be read. */
async function readIncidents(app: App, orgId: string): Promise<object> {
  const endpoints = await store.failingEndpointsOf(app.db, orgId, maxIncidents);
  const numbers = await numbersOutOfReach(app.db, orgId, maxIncidents);
  const bases = await failingBases(app.db, orgId, maxIncidents);
  return {
    endpoints: endpoints.map((each) => ({ ...each, failing_since: isoOrNull(each.failing_since) })),
    numbers: numbers.map(({ numberId, phone, probeAt, reason }) => ({
      id: numberId,
      phone,
      paused_until: isoOf(probeAt),
      last_error: reason,
    })),
    knowledge_bases: bases.map(({ id, name }) => ({ id, name })),
  };
}

const readImport = async (app: App, orgId: string, id: string): Promise<object> =>
  presentProgress(await progressOf(app, orgId, id));

const readCalling = async (app: App, orgId: string): Promise<object> => presentCalling(await callingOf(app, orgId));

async function readToday(app: App, orgId: string): Promise<object> {
  const { timezone, weekBefore, agents, ...day } = await todayOf(app, orgId);
  return {
    timezone,
    ...presentDay(day),
    agents: agents.map(({ id, name, totals, calls }) => ({
      agent_id: id,
      agent_name: name,
      ...presentFigures(totals),
      hours: calls,
    })),
    week_before: presentDay(weekBefore),
  };
}

const presentDay = ({ date, totals, hours }: Day) => ({
  date,
  totals: presentFigures(totals),
  hours: hours.map(({ hour, ...figures }) => ({ hour, ...presentFigures(figures) })),
});

/** What is said in a call is followed as it is said. */
const callEveryMs = 250;
const hasEnded = (state: object): boolean => 'state' in state && state.state === 'ended';

/** The topics. Those with `ofOne` are about one thing, whose id follows a colon; the others are about the whole organization. */
const readers: ReadonlyMap<string, { read: Reader; ofOne: boolean }> = new Map([
  ['overview', { read: readOverview, ofOne: false }],
  ['incidents', { read: readIncidents, ofOne: false }],
  ['calling', { read: readCalling, ofOne: false }],
  ['calls', { read: readCalls, ofOne: false }],
  ['latest', { read: readLatest, ofOne: false }],
  ['today', { read: readToday, ofOne: false }],
  ['deliveries', { read: readDeliveries, ofOne: false }],
  ['campaign', { read: readCampaign, ofOne: true }],
  ['call', { read: readCall, ofOne: true }],
  ['knowledge', { read: readKnowledge, ofOne: true }],
  ['import', { read: readImport, ofOne: true }],
]);

/**
 * The topic with this name, such as `overview` or `campaign:<id>`.
 * @throws notFound when there is no topic of this name
 */
export function topicOf(app: App, orgId: string, text: string): Topic {
  const [event = '', id, ...rest] = text.toLowerCase().split(':');
  const reader = readers.get(event);
  const fits = reader && rest.length === 0 && (reader.ofOne ? isUuid(id ?? '') : id === undefined);
  if (!fits) throw notFound('topic');
  const { read, ofOne } = reader;
  return {
    name: text.toLowerCase(),
    event,
    isOfOne: ofOne,
    read: () => read(app, orgId, id ?? ''),
    ...(event === 'call' ? { everyMs: callEveryMs, isLast: hasEnded } : {}),
  };
}
