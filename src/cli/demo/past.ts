import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs, hourMs, type TestClock } from '../../base/clock.ts';
import type { Config } from '../../base/config/schema.ts';
import type { Log } from '../../base/log.ts';
import { settingsIn } from '../../features/calls/carriers/driver.ts';
import { simulatedSettings } from '../../features/calls/carriers/simulated/driver.ts';
import { advance } from '../../jobs/advance.ts';
import { type Running, start } from '../../main.ts';
import { type Api, createApi } from './api.ts';
import type { LongCaller } from './long-call.ts';

/** A week of calls before the demo, made by the server itself: it runs under a clock that stands a week back and is moved on to the present. */

export type Past = {
  /** Data directory of the server that goes on from here. */
  directory: string;
  apiKey: string;
  /** A campaign of that week that still has contacts to call. */
  campaignId: string;
  english: LongCaller;
};

/** Days and hours of the past are those of `timezone`. */
export type PastOptions = { config: Config; log: Log; nowMs: number; timezone: string };

/** One more than a week, so that today has the same weekday to be compared with. */
const days = 8;
/** How many people join the campaigns of today in each hour: more are reached before noon, and nobody is called at night. */
const joins = new Map([
  [8, 18],
  [9, 34],
  [10, 42],
  [11, 38],
  [12, 16],
  [13, 24],
  [14, 36],
  [15, 32],
  [16, 26],
  [17, 18],
  [18, 10],
]);
/** So many that some of them wait for a retry: a campaign without contacts to call is completed, and nobody could join it. */
const firstJoining = 20;
/** The share of `joins` on today's weekday a week ago, and on the days between. */
const [shareBefore, shareBetween] = [0.85, 0.4];
/** The share of those who join whom the English agent calls. */
const shareInEnglish = 0.3;
/** Contacts that are left to call when the present begins, about as many as joined in an hour: calls then end 30 times as soon. */
const left = 40;
/** So they last for some minutes. */
const leftAtATime = 1;

/** An endpoint at which nobody listens: its deliveries wait, and the pages say so. */
const deadEndpoint = 'http://127.0.0.1:9/crm';

export async function makePast({ config, log, nowMs, timezone }: PastOptions): Promise<Past> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-demo-'));
  const past = await start({
    config: { ...atRealSpeed(config), data: directory },
    keepsNothing: true,
    log,
    testClock: Math.floor((nowMs - days * dayMs) / hourMs) * hourMs,
  });
  try {
    const apiKey = past.apiKey!; // a first start always has it
    const api = createApi(past.url, apiKey);
    await api.patch('/api/v1/organization', { timezone });
    const campaigns = await prepare(api);
    const span = { fromMs: past.app.clock.now(), toMs: nowMs, timezone };
    await liveThrough(api, campaigns, span, (at) => moveClock(past, log, at));
    await api.patch(`/api/v1/campaigns/${campaigns.german}/`, { schedule: { maxConcurrent: leftAtATime } });
    await optOut(api, campaigns.german);
    return { directory, apiKey, campaignId: campaigns.german, english: campaigns.english };
  } finally {
    await past.stop();
  }
}

type Made = { id: string };
type Model = { llmModel: string; isActive: boolean; voices: Array<{ id: string; language: string }> };

/** Under a clock that runs ahead calls need not be short, so that those of the week last as long as real ones. */
const atRealSpeed = (config: Config): Config => {
  const simulated = { ...settingsIn(config, simulatedSettings)['carrier.simulated'], speed: 1 };
  return { ...config, carrier: { ...config.carrier, simulated } as Config['carrier'] };
};

/** The ids of the campaigns, of the English one with its agent and number. */
type Campaigns = { german: string; english: LongCaller };

/** Two agents who speak German and English, a number, and a campaign of each. */
async function prepare(api: Api): Promise<Campaigns> {
  const { data: models } = await api.get<Model[]>('/api/v1/available-llm-models/with-voices?limit=500');
  const model = models.find(({ isActive, voices }) => isActive && voices.length > 0)!;
  const voiceOf = (language: string): string =>
    (model.voices.find((voice) => voice.language.startsWith(language)) ?? model.voices[0]!).id;
  const { data: ada } = await api.post<Made>('/api/v1/agents/', {
    agentName: 'Ada – Recall',
    model: model.llmModel,
    voiceId: voiceOf('de'),
    firstMessage: 'Guten Tag, hier ist Ada vom Zahnzentrum Lindenhof. Passt es gerade eine Minute?',
    prompt: 'Finde einen Kontrolltermin in den nächsten drei Wochen. Sprich kurz.',
    webhook_url: deadEndpoint,
  });
  const { data: olivia } = await api.post<Made>('/api/v1/agents/', {
    agentName: 'Olivia – Renewals',
    model: model.llmModel,
    voiceId: voiceOf('en'),
    firstMessage: 'Good day, this is Olivia of Harrow and Finch. Do you have a minute?',
    prompt: 'Ask whether the policy shall be renewed. Be brief and friendly.',
  });
  const { data: number } = await api.post<Made>('/api/v1/phone-numbers/import', {
    phone: '+493023125999',
    name: 'Reception',
    termination_uri: 'sip.example.com',
  });
  const schedule = { timezone: 'Europe/Berlin', maxConcurrent: 4, retryAttempts: 2, retryGapMin: 1440 };
  const { data: campaign } = await api.post<Made>('/api/v1/campaigns/', {
    name: 'Kontrolltermine Herbst',
    agentId: ada.id,
    phoneNumberId: number.id,
    schedule,
  });
  const { data: renewals } = await api.post<Made>('/api/v1/campaigns/', {
    name: 'Renewals UK',
    agentId: olivia.id,
    phoneNumberId: number.id,
    schedule: { ...schedule, timezone: 'Europe/London', windowStart: '08:00', windowEnd: '19:00' },
  });
  const english = { agentId: olivia.id, phoneNumberId: number.id, campaignId: renewals.id };
  return { german: campaign.id, english };
}

/** Not over the interface: the audit log would be full of steps of the clock. */
const moveClock = async ({ app, runner }: Running, log: Log, at: number): Promise<void> =>
  void (await advance({ clock: app.clock as TestClock, runner, log }, at));

type Span = { fromMs: number; toMs: number; timezone: string };

/** Moves the clock from hour to hour; in working hours people join the campaigns and are called. */
async function liveThrough(
  api: Api,
  { german: recall, english: { campaignId: renewals } }: Campaigns,
  { fromMs, toMs, timezone }: Span,
  moveTo: (at: number) => Promise<void>,
): Promise<void> {
  const joined = { [recall]: 0, [renewals]: 0 };
  const add = async (campaignId: string, people: typeof german, count: number): Promise<void> => {
    if (count === 0) return;
    const contacts = people(joined[campaignId]!, count);
    await api.post(`/api/v1/campaigns/${campaignId}/contacts`, { contacts });
    joined[campaignId]! += count;
  };
  await add(recall, german, firstJoining);
  await add(renewals, british, firstJoining);
  for (const id of [recall, renewals]) await api.patch(`/api/v1/campaigns/${id}/`, { status: 'active' });
  for (let at = fromMs + hourMs; at < toMs; at += hourMs) {
    await moveTo(at);
    const count = joiningAt(at, toMs, timezone);
    const inEnglish = Math.round(count * shareInEnglish);
    await add(recall, german, count - inEnglish);
    await add(renewals, british, inEnglish);
  }
  await add(recall, german, left);
}

/** How many people join in the hour that begins at `at`. */
function joiningAt(at: number, nowMs: number, timezone: string): number {
  const dateTimeOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone);
  const [hour, today] = [dateTimeOf(at), dateTimeOf(nowMs).toPlainDate()];
  const daysAgo = hour.toPlainDate().until(today).total('days');
  const share = daysAgo === 0 ? 1 : daysAgo === 7 ? shareBefore : shareBetween;
  return Math.round((joins.get(hour.hour) ?? 0) * share);
}

/** One person of the week does not want to be called any more. */
async function optOut(api: Api, campaignId: string): Promise<void> {
  const { data } = await api.get<Array<{ contact_id: string }>>(
    `/api/v1/campaigns/${campaignId}/contacts?status=pending&limit=1`,
  );
  const contact = data[0];
  if (!contact) return;
  await api.put(`/api/v1/contacts/${contact.contact_id}/do-not-call`, { reason: 'Asked on the phone' });
}

const first = ['Käthe', 'Jonas', 'Elif', 'Marta', 'Sven', 'Ines', 'Felix', 'Tina', 'Yusuf', 'Greta', 'Paul'];
const surnames = ['Harrow', 'Finch', 'Pemberton', 'Ashworth', 'Llewellyn'];
const last = ['Garcia', 'Petrov', 'Lang', 'Müller', 'Brandt', 'Özdemir', 'Weber', 'Costa', 'Hülsenbeck'];

/** The ending decides the outcome of a simulated call; 08 is left out, because its end is never reported. */
const lastTwoDigits = Array.from({ length: 100 }, (_, ending) => ending).filter((ending) => ending !== 8);

/** Beginnings of numbers that belong to nobody; three digits follow. */
const germanNumbers = ['+493023125', '+494066969', '+496990009', '+498999998'];
const britishNumbers = ['+442079460'];

/** Steps of 7 keep the fixed outcomes from coming in a row. */
function phoneOf(index: number, beginnings: readonly string[]): string {
  const ending = lastTwoDigits[(index * 7) % lastTwoDigits.length]!;
  const hundred = Math.floor(index / lastTwoDigits.length);
  const beginning = beginnings[Math.floor(hundred / 10)];
  if (beginning === undefined) throw new Error(`there are no numbers for ${index} people`);
  return `${beginning}${hundred % 10}${String(ending).padStart(2, '0')}`;
}

const german = (from: number, count: number): object[] =>
  Array.from({ length: count }, (_, at) => ({
    phone: phoneOf(from + at, germanNumbers),
    first_name: first[(from + at) % first.length]!,
    last_name: last[Math.floor((from + at) / 3) % last.length]!,
  }));

const british = (from: number, count: number): object[] =>
  Array.from({ length: count }, (_, at) => ({
    phone: phoneOf(from + at, britishNumbers),
    first_name: first[(from + at + 4) % first.length]!,
    last_name: surnames[(from + at) % surnames.length]!,
  }));
