import type { Client, Json } from './client.ts';
import type { Names } from './names.ts';

/** Lists whose rows of one instant have no order that a user could rely on are sorted by their text. */
const sorted = (rows: readonly unknown[], names: Names): string[] =>
  rows.map((row) => names.plain(JSON.stringify(row))).toSorted();

/** Names calls and campaign contacts after what they are about. */
async function nameThings(client: Client, names: Names, campaigns: readonly Json[]): Promise<void> {
  for (const contact of await client.all('/contacts')) names.add(contact.id, `contact ${String(contact['phone'])}`);
  for (const { id, name } of campaigns) {
    for (const row of await client.all(`/campaigns/${id}/contacts`)) {
      names.add(row.id, `${String(name)} ${String(row['phone'])}`);
    }
  }
  for (const call of await client.all('/calls')) {
    const campaign = names.nameOf(String(call['campaign_id']));
    const id = String(call['call_session_id']);
    names.add(id, `call ${campaign} ${String(call['phone'])} ${String(call['attempt'])} ${String(call['created_at'])}`);
  }
  const { data: endpoints } = await client.read<Json[]>('/webhooks/endpoints?limit=500');
  for (const { id, agent_id: agent, url } of endpoints) {
    names.add(id, `endpoint ${names.nameOf(String(agent))} ${new URL(String(url)).pathname}`);
  }
  for (const { id, event_id: event, endpoint_id: endpoint } of await client.all('/webhooks/deliveries')) {
    names.add(id, `delivery ${names.nameOf(String(event))} to ${names.nameOf(String(endpoint))}`);
  }
}

const lists = ['/agents?limit=500', '/campaigns?limit=500', '/phone-numbers?limit=500', '/do-not-call?limit=500'];
const unordered = [
  '/calls',
  '/calls?state=live',
  '/calls?state=ended&status=completed&status=busy',
  '/calls?since=2026-03-28T10:00:00Z&until=2026-03-28T12:00:00Z',
  '/calls?q=4930',
  '/contacts',
  '/webhooks/deliveries',
  '/webhooks/deliveries?status=retrying',
  '/webhooks/deliveries?status=held',
];
const ofCampaign = [
  '',
  '/plan',
  '/activity',
  '/activity?step=900',
  '/activity?step=420',
  '/hours',
  '/zones',
  '/events?limit=500',
  '/contacts?limit=500',
  '/contacts?limit=500&status=pending&status=in_progress',
  '/contacts?limit=500&sort=next_attempt',
  '/contacts?limit=500&sort=last_attempt',
  '/contacts?limit=500&q=vip',
];

async function ofEachCampaign(client: Client, names: Names, campaigns: readonly Json[], note: Note): Promise<void> {
  for (const { id, name } of campaigns) {
    for (const path of ofCampaign) {
      note(`${String(name)} ${path}`, [names.plain(await client.text(`/campaigns/${id}${path}`))]);
    }
    for (const format of ['csv', 'jsonl']) {
      note(
        `${String(name)} /results ${format}`,
        names.plain(await client.text(`/campaigns/${id}/results?format=${format}`)).split('\n'),
      );
    }
    const contacts = await client.all(`/campaigns/${id}/contacts`);
    for (const { contact_id: contact } of contacts.filter((row, at) => row['contact_id'] !== null && at % 5 === 0)) {
      note(`${String(name)} /why`, [
        names.plain(await client.text(`/campaigns/${id}/contacts/${String(contact)}/why`)),
      ]);
    }
  }
}

type Note = (what: string, texts: readonly string[]) => void;

/** Everything that an organization can read, as lines of text. */
export async function snapshot(client: Client, names: Names, note: Note): Promise<void> {
  const { data: campaigns } = await client.read<Json[]>('/campaigns?limit=500');
  await nameThings(client, names, campaigns);
  for (const path of lists) note(path, [names.plain(await client.text(path))]);
  for (const path of unordered) note(path, sorted(await client.all(path), names));
  note('/calls, totals', [names.plain(JSON.stringify((await client.read('/calls?limit=1')).meta))]);
  note('/webhooks/endpoints', sorted((await client.read<Json[]>('/webhooks/endpoints?limit=500')).data, names));
  await ofEachCampaign(client, names, campaigns, note);
  for (const { id } of (await client.all('/contacts')).slice(0, 20)) {
    note('/contacts/{id}/campaigns', [names.plain(await client.text(`/contacts/${id}/campaigns`))]);
    note('/contacts/{id}/notes', [names.plain(await client.text(`/contacts/${id}/notes`))]);
  }
}

/** What is read once, because it is long: each delivery with its attempts, each call, the audit log, notices. */
export async function snapshotOfDetails(client: Client, names: Names, note: Note): Promise<void> {
  const deliveries = await client.all('/webhooks/deliveries');
  const details = await Promise.all(
    deliveries.map(async ({ id }) => (await client.read(`/webhooks/deliveries/${id}`)).data),
  );
  note(
    'deliveries',
    sorted(
      details.map((delivery) => ({ ...delivery, payload: null })),
      names,
    ),
  );
  const calls = await client.all('/calls');
  const paths = calls.map((call) => `/calls/${String(call['call_session_id'])}`);
  note('each /each call', sorted(await Promise.all(paths.map(async (path) => (await client.read(path)).data)), names));
  note(
    'timelines',
    sorted(await Promise.all(paths.map(async (path) => (await client.read(`${path}/timeline`)).data)), names),
  );
  note('each /audit', sorted(await client.all('/audit'), names));
  note('each /notices', sorted((await client.read<Json[]>('/notices?limit=500')).data, names));
}
