import type { Client, Json } from './client.ts';
import type { Names } from './names.ts';
import type { Receiver } from './receiver.ts';

/** The weekend on which Europe moves its clocks forward: Sunday 01:00 UTC. */
export const dayBegins = '2026-03-28T09:00:00Z';

export type Day = {
  north: Client;
  south: Client;
  names: Names;
  receiver: Receiver;
  advanceTo(instant: string): Promise<void>;
  /** Records all lists as they are now. */
  record(title: string): Promise<void>;
};

type People = ReadonlyArray<Record<string, unknown> & { phone: string }>;

/** Contacts of a campaign. The last two digits of a number choose how the simulated carrier ends its calls; above 09 it draws. */
const people = (prefix: string, endings: readonly number[], over: (index: number) => object = () => ({})): People =>
  endings.map((ending, index) => ({
    phone: `${prefix}${String(1000 + index)}${String(ending).padStart(2, '0')}`,
    first_name: `Person ${index}`,
    ...over(index),
  }));

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

async function agentOf(day: Day, client: Client, name: string, over: object): Promise<Json> {
  const { data: models } = await client.read<
    Array<{ llmModel: string; isActive: boolean; voices: Array<{ id: string }> }>
  >('/available-llm-models/with-voices');
  const model = models.find(({ isActive }) => isActive)!;
  const made = await client.act('POST', '/agents', {
    agentName: name,
    model: model.llmModel,
    voiceId: model.voices[0]!.id,
    ...over,
  });
  day.names.add(made.id, name);
  const { data } = await client.read<{ secret: string }>(`/agents/${made.id}/webhook-secret`);
  day.receiver.secrets.set(`${name} 1`, data.secret);
  return made;
}

async function numberOf(day: Day, client: Client, phone: string, limits: object): Promise<Json> {
  const made = await client.act('POST', '/phone-numbers/import', { phone, termination_uri: 'sip.example.com' });
  day.names.add(made.id, phone);
  await client.act('PATCH', `/phone-numbers/${made.id}`, limits);
  return made;
}

type Planned = { name: string; agent: Json; number: Json; contacts: People; fields?: object };

async function campaignOf(day: Day, client: Client, { name, agent, number, contacts, fields }: Planned): Promise<Json> {
  const made = await client.act('POST', '/campaigns', { name, agentId: agent.id, phoneNumberId: number.id, ...fields });
  day.names.add(made.id, name);
  await client.act('POST', `/campaigns/${made.id}/contacts`, { contacts });
  return made;
}

const activate = (client: Client, { id }: Json) => client.act('PATCH', `/campaigns/${id}`, { status: 'active' });

const zones = [null, 'America/New_York', 'Asia/Tokyo', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Europe/London'];

/** Saturday, until noon: everything is set up, and the first campaigns run. */
async function morning(day: Day) {
  const { north, south, receiver } = day;
  const url = (path: string): string => `${receiver.url}${path}`;
  const robin = await agentOf(day, north, 'Robin', { webhook_urls: [url('/ok'), url('/flaky')] });
  const kim = await agentOf(day, north, 'Kim', { webhook_urls: [url('/dead'), url('/later'), url('/moved')] });
  const lou = await agentOf(day, north, 'Lou', {});
  const max = await agentOf(day, north, 'Max', {
    maxCallDurationMs: 60_000,
    webhook_urls: [url('/gone'), url('/never')],
  });
  const mia = await agentOf(day, south, 'Mia "the" Größe', { webhook_urls: [url('/south')] });
  const first = await numberOf(day, north, '+4930901820', { max_concurrent: 8, max_cps: 5 });
  const second = await numberOf(day, north, '+4930901821', { max_concurrent: 20 });
  const third = await numberOf(day, south, '+12025550100', { max_concurrent: 3, max_cps: 1 });
  const spring = await campaignOf(day, north, {
    name: 'Spring',
    agent: robin,
    number: first,
    contacts: people('+493011', [...range(0, 10), ...range(10, 40)], (index) => ({
      email: `p${index}@example.com`,
      metadata: { order: index, 'Straße "x"': [1.5, null, { deep: true }] },
      tags: index % 3 === 0 ? ['vip', 'spring'] : [],
    })),
    fields: {
      maxCps: 2,
      schedule: {
        windowStart: '09:00',
        windowEnd: '17:00',
        timezone: 'Europe/Berlin',
        maxConcurrent: 6,
        retryAttempts: 2,
        retryGapMin: 60,
      },
    },
  });
  const night = await campaignOf(day, north, {
    name: 'Night',
    agent: kim,
    number: second,
    contacts: people('+493022', range(0, 36), (index) => ({ timezone: zones[index % zones.length] })),
    fields: {
      maxCps: 3,
      schedule: {
        windowStart: '22:00',
        windowEnd: '04:00',
        timezone: 'Europe/Berlin',
        maxConcurrent: 5,
        retryAttempts: 3,
        retryGapMin: 25,
      },
    },
  });
  const anyHour = await campaignOf(day, north, {
    name: 'Any hour',
    agent: max,
    number: second,
    contacts: people('+493033', [...range(0, 10), ...range(50, 70)]),
    fields: { retryOn: ['busy', 'failed'], schedule: { retryAttempts: 1, retryGapMin: 5, maxConcurrent: 2 } },
  });
  const ending = await campaignOf(day, north, {
    name: 'Ending',
    agent: lou,
    number: second,
    contacts: people('+493044', range(0, 60)),
    fields: { schedule: { end: '2026-03-28T13:00:30Z', maxConcurrent: 1, retryAttempts: 1 } },
  });
  const deleted = await campaignOf(day, north, {
    name: 'Deleted',
    agent: robin,
    number: second,
    contacts: people('+493055', range(0, 20)),
  });
  const southern = await campaignOf(day, south, {
    name: 'Southern',
    agent: mia,
    number: third,
    contacts: people('+120255501', range(0, 24), (index) => ({ timezone: index % 2 === 0 ? 'America/Chicago' : null })),
    fields: {
      schedule: {
        windowStart: '08:30',
        windowEnd: '12:15',
        windowDays: [6, 7],
        timezone: 'America/New_York',
        retryAttempts: 1,
        retryGapMin: 45,
      },
    },
  });
  await north.act('POST', '/do-not-call', { phones: ['+49301110051', '+493022100301'], reason: 'asked' });
  for (const campaign of [spring, night, anyHour, ending, deleted]) await activate(north, campaign);
  await activate(south, southern);
  return { robin, kim, lou, max, mia, first, second, third, spring, night, anyHour, ending, deleted, southern };
}

type Made = Awaited<ReturnType<typeof morning>>;

async function hangUp(client: Client): Promise<void> {
  const [live] = (await client.all('/calls?state=in_progress')).toSorted((a, b) =>
    String(a['phone']) < String(b['phone']) ? -1 : 1,
  );
  if (live) await client.act('POST', `/calls/${String(live['call_session_id'])}/hangup`);
}

/** Saturday: people interfere with running campaigns. */
async function interfere(day: Day, made: Made): Promise<void> {
  const { north, advanceTo } = day;
  await advanceTo('2026-03-28T09:00:40Z');
  await hangUp(north);
  const contacts = await north.all(`/campaigns/${made.spring.id}/contacts`);
  const at = (index: number): string => String(contacts[index]!['contact_id']);
  await north.act('DELETE', `/campaigns/${made.spring.id}/contacts/${at(35)}`);
  await north.act('PATCH', `/contacts/${at(36)}`, { do_not_call: true });
  await north.act('DELETE', `/contacts/${at(37)}`);
  await north.act('POST', `/contacts/${at(0)}/notes`, { content: 'Wants to be called "early".' });
  await north.act('POST', '/do-not-call', { phone: String(contacts[38]!['phone']) });
  await north.act('PATCH', `/campaigns/${made.anyHour.id}`, { status: 'paused' });
  await advanceTo('2026-03-28T09:02:00Z');
  await day.record('while Any hour is paused');
  await north.act('PATCH', `/campaigns/${made.deleted.id}`, { status: 'paused' });
  await advanceTo('2026-03-28T09:10:00Z');
  await north.act('DELETE', `/campaigns/${made.deleted.id}`);
  await north.act('PATCH', `/campaigns/${made.anyHour.id}`, { status: 'active' });
  await north.act('POST', `/campaigns/${made.spring.id}/contacts`, { contact_ids: [at(35)] });
  await north.act('PUT', `/agents/${made.robin.id}`, { agentName: 'Robin the Second' });
  await advanceTo('2026-03-28T10:15:00Z');
  const rotated = await north.act<{ secret: string }>('POST', `/agents/${made.robin.id}/webhook-secret/rotate`, {
    overlap_seconds: 7200,
  });
  day.receiver.secrets.set('Robin 2', rotated.secret);
}

async function singleCalls(day: Day, made: Made): Promise<void> {
  const { north, advanceTo } = day;
  for (const ending of ['00', '01', '02', '03', '04', '05', '06', '07', '08', '09', '77']) {
    const to = `+4930555100${ending}`;
    await north.act('POST', '/calls', {
      agent_id: made.max.id,
      to,
      from: '+4930901821',
      metadata: { ending, 'a b': [] },
    });
  }
  await north.act('POST', '/calls', { agent_id: made.robin.id, to: '+493022100301', from: '+4930901821' });
  await advanceTo('2026-03-28T10:15:12Z');
  await hangUp(north);
  await advanceTo('2026-03-28T11:00:00Z');
  await day.record('after the single calls');
}

const importedFile = [
  'first_name,last_name,phone,email,tags,do_not_call,city',
  'Ada,Lovelace,+4930660001,ada@example.com,"vip, new",,London',
  'Bob,,030 660010,not an address,,,"Berlin, West"',
  'Eve,Else,nonsense,eve@example.com,,,',
  'Opt,Out,+4930660020,,,yes,',
  ...range(100, 140).map((index) => `Row ${index},Import,+4930661${index},,batch,,`),
].join('\n');

/** Saturday afternoon to Sunday: an end, an import, a redial, an agent that is switched off, healed URLs. */
async function afternoon(day: Day, made: Made): Promise<void> {
  const { north, south, advanceTo, names, receiver } = day;
  const imported = await north.act('POST', '/campaigns', {
    name: 'Imported',
    agentId: made.robin.id,
    phoneNumberId: made.first.id,
  });
  names.add(imported.id, 'Imported');
  await north.act('POST', `/campaigns/${imported.id}/contacts/import`, importedFile);
  await activate(north, imported);
  await advanceTo('2026-03-28T13:30:00Z');
  const redial = await north.act('POST', `/campaigns/${made.ending.id}/redial`, { statuses: ['busy', 'no_answer'] });
  names.add(redial.id, 'Redial');
  await advanceTo('2026-03-28T13:31:00Z');
  await activate(north, redial);
  await advanceTo('2026-03-28T15:00:00Z');
  await south.act('PUT', `/agents/${made.mia.id}`, { status: 'INACTIVE' });
  await advanceTo('2026-03-28T16:00:00Z');
  await south.act('PUT', `/agents/${made.mia.id}`, { status: 'ACTIVE' });
  await day.record('on Saturday evening');
  await advanceTo('2026-03-28T23:30:00Z');
  receiver.healed.add('/dead');
  await north.act('PATCH', `/campaigns/${made.night.id}`, {
    maxCps: 1,
    schedule: { windowEnd: '05:00', retryAttempts: 1 },
  });
  await advanceTo('2026-03-29T00:59:00Z');
  await day.record('before the clocks change');
  await advanceTo('2026-03-29T09:00:00Z');
}

/** Sunday: what is left of the campaigns is removed or ended, and failed deliveries are sent again. */
async function sunday(day: Day, made: Made): Promise<void> {
  const { north, south, advanceTo, receiver } = day;
  await north.act('POST', `/campaigns/${made.night.id}/contacts/remove`, { status: ['pending'] });
  receiver.healed.add('/never');
  const { data: endpoints } = await north.read<Array<Json & { url: string }>>('/webhooks/endpoints?limit=500');
  for (const { id, url } of endpoints) {
    if (url.endsWith('/never') || url.endsWith('/dead')) await north.act('POST', `/webhooks/endpoints/${id}/resume`);
    if (url.endsWith('/ok')) await north.act('POST', `/webhooks/endpoints/${id}/test`);
  }
  await south.act('PATCH', `/campaigns/${made.southern.id}`, { status: 'completed' });
  const delivered = (await south.all('/webhooks/deliveries'))[0];
  if (delivered) await south.act('POST', `/webhooks/deliveries/${delivered.id}/retry`);
  await north.act('PUT', `/agents/${made.max.id}`, { webhook_urls: [`${receiver.url}/ok`] });
  await advanceTo('2026-03-29T16:00:00Z');
  await day.record('in the end');
}

export async function liveThrough(day: Day): Promise<void> {
  const made = await morning(day);
  await interfere(day, made);
  await singleCalls(day, made);
  await afternoon(day, made);
  await sunday(day, made);
}
