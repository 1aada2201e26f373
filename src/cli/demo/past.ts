import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs, type TestClock } from '../../base/clock.ts';
import type { Config } from '../../base/config/schema.ts';
import type { Log } from '../../base/log.ts';
import { settingsIn } from '../../features/calls/carriers/driver.ts';
import { simulatedSettings } from '../../features/calls/carriers/simulated/driver.ts';
import { advance } from '../../jobs/advance.ts';
import { type Running, start } from '../../main.ts';
import { type Api, createApi } from './api.ts';

/** A week of calls before the demo, made by the server itself: it runs under a clock that stands a week back and is moved on to the present. */

export type Past = {
  /** Data directory of the server that goes on from here. */
  directory: string;
  apiKey: string;
  /** A campaign of that week that still has contacts to call. */
  campaignId: string;
};

export type PastOptions = { config: Config; log: Log; nowMs: number };

/** One more than a week, so that today has the same weekday to be compared with. */
const days = 8;
const hourMs = 3_600_000;
/** The hours of a day in which people are called, and how many join the campaign in each: more are reached before noon. */
const working = [9, 10, 11, 12, 13, 14, 15, 16] as const;
const joins: Readonly<Record<(typeof working)[number], number>> = {
  9: 5,
  10: 7,
  11: 7,
  12: 3,
  13: 4,
  14: 6,
  15: 5,
  16: 4,
};
/** Contacts that are left to call when the present begins. */
const left = 300;

/** An endpoint at which nobody listens: its deliveries wait, and the pages say so. */
const deadEndpoint = 'http://127.0.0.1:9/crm';

export async function makePast({ config, log, nowMs }: PastOptions): Promise<Past> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-demo-'));
  const past = await start({
    config: { ...atRealSpeed(config), data: directory },
    log,
    testClock: Math.floor((nowMs - days * dayMs) / hourMs) * hourMs,
  });
  try {
    const apiKey = past.apiKey!; // a first start always has it
    const api = createApi(past.url, apiKey);
    const week = await prepare(api);
    await liveThrough(api, week.campaignId, past.app.clock.now(), nowMs, (at) => moveClock(past, log, at));
    await optOut(api, week.campaignId);
    return { directory, apiKey, campaignId: week.campaignId };
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

/** Two agents who speak German and English, a number, and a campaign of each. */
async function prepare(api: Api): Promise<{ campaignId: string }> {
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
  const schedule = { timezone: 'Europe/Berlin', maxConcurrent: 2, retryAttempts: 2, retryGapMin: 1440 };
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
    schedule: { ...schedule, timezone: 'Europe/London', retryAttempts: 0, windowStart: '10:00', windowEnd: '17:00' },
  });
  await api.post(`/api/v1/campaigns/${renewals.id}/contacts`, { contacts: british(80) });
  await api.patch(`/api/v1/campaigns/${renewals.id}/`, { status: 'active' });
  return { campaignId: campaign.id };
}

/** Not over the interface: the audit log would be full of steps of the clock. */
const moveClock = async ({ app, runner }: Running, log: Log, at: number): Promise<void> =>
  void (await advance({ clock: app.clock as TestClock, runner, log }, at));

/** Moves the clock from hour to hour; in working hours people join the campaign and are called. */
async function liveThrough(
  api: Api,
  campaignId: string,
  fromMs: number,
  toMs: number,
  moveTo: (at: number) => Promise<void>,
): Promise<void> {
  let joined = 0;
  const addToday = async (count: number): Promise<void> => {
    await api.post(`/api/v1/campaigns/${campaignId}/contacts`, { contacts: german(joined, count) });
    joined += count;
  };
  await addToday(joins[9]);
  await api.patch(`/api/v1/campaigns/${campaignId}/`, { status: 'active' });
  for (let at = fromMs + hourMs; at < toMs; at += hourMs) {
    await moveTo(at);
    const { hour } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('Europe/Berlin');
    const count = joins[hour as (typeof working)[number]];
    if (count !== undefined) await addToday(count);
  }
  await addToday(left);
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
const last = ['Garcia', 'Petrov', 'Lang', 'Müller', 'Brandt', 'Özdemir', 'Weber', 'Costa', 'Hülsenbeck'];

/** The ending decides the outcome of a simulated call; 08 is left out, because its end is never reported. */
const lastTwoDigits = Array.from({ length: 100 }, (_, ending) => ending).filter((ending) => ending !== 8);

/** 030 23125 000 to 999 belong to nobody. Steps of 7 keep the fixed outcomes from coming in a row. */
function german(from: number, count: number): object[] {
  return Array.from({ length: count }, (_, at) => {
    const index = from + at;
    const ending = lastTwoDigits[(index * 7) % lastTwoDigits.length]!;
    const hundred = Math.floor(index / lastTwoDigits.length);
    return {
      phone: `+493023125${hundred}${String(ending).padStart(2, '0')}`,
      first_name: first[index % first.length]!,
      last_name: last[Math.floor(index / 3) % last.length]!,
    };
  });
}

/** 020 7946 0000 to 0999 belong to nobody. */
const british = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    phone: `+4420794600${String(index + 10)}`,
    first_name: first[(index + 4) % first.length]!,
    last_name: 'Harrow',
  }));
