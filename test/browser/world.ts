import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aCampaign, aContact, anAgent, aNumber } from '../support/fixtures.ts';
import { type Data, dataOf, type TestServer } from '../support/server.ts';

/** Texts of the things that fill a server; each field gets as much of them as it takes. */
export type Texts = {
  short: string;
  long: string;
  /** Address of an invited person; each may be invited once. */
  invited?: string;
};

export const plainTexts: Texts = {
  short: 'Spring',
  long: 'You are friendly and brief. You answer questions about our shop.',
};

const word = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaftsvorstandssaal';

/** Words without end, markup, another direction, families of emoji and a zero. */
export const hostileTexts: Texts = {
  short: `${word} <b>مرحبا</b> 👩‍👩‍👧‍👦`,
  long: `<script>alert(1)</script> مرحبا بالعالم 👩‍👩‍👧‍👦 0 ${word} `.repeat(20),
};

export type World = { ids: Readonly<Record<'campaign' | 'contact' | 'call' | 'agent' | 'base' | 'delivery', string>> };

/** All pages, with one thing of each kind. Those that only admins may see come last. */
export const pagesOf = ({ ids }: World): string[] => [
  '/',
  '/campaigns',
  '/campaigns/new',
  `/campaigns/${ids.campaign}`,
  '/contacts',
  '/contacts/import',
  `/contacts/${ids.contact}`,
  '/calls',
  `/calls/${ids.call}`,
  '/agents',
  '/agents/new',
  `/agents/${ids.agent}`,
  '/knowledge',
  `/knowledge/${ids.base}`,
  '/numbers',
  '/calendar',
  '/deliveries',
  `/deliveries/${ids.delivery}`,
  '/do-not-call',
  '/system',
  '/live',
  '/account',
  '/people',
  '/audit',
];

const none = { campaign: '', contact: '', call: '', agent: '', base: '', delivery: '' };

/** The pages of an organization that has nothing yet. */
export const emptyPages = [...new Set(pagesOf({ ids: none }).map((path) => path.replace(/(.)\/$/, '$1')))];

/** A receiver that refuses every event, so that its endpoint fails. Answers its URL. */
async function aRefusingReceiver(body: string, stop: (end: () => void) => void): Promise<string> {
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(410).end(body));
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  stop(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
}

/** The beginning of a text, without half of a character at its end. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');

/** Makes one of each kind of thing, with the texts in every field that takes some. `stop` is given what ends the receiver. */
export async function fillWorld(server: TestServer, texts: Texts, stop: (end: () => void) => void): Promise<World> {
  const { short, long } = texts;
  const url = await aRefusingReceiver(long, stop);
  const number = await aNumber(server, { name: cut(short, 100) });
  const agent = await anAgent(server, {
    agentName: cut(short, 100),
    prompt: long,
    firstMessage: cut(long, 1000),
    voicemailMessage: cut(long, 1000),
    webhookUrls: [url],
  });
  const metadata = { [cut(short, 60)]: long, long };
  const contact = await aContact(server, {
    first_name: cut(short, 100),
    last_name: cut(long, 100),
    company: cut(long, 100),
    phone: '+4930901800',
    metadata,
  });
  dataOf(await server.post(`/contacts/${contact.id}/notes`, { content: cut(long, 5000) }));
  const call = dataOf(
    await server.post<{ call_id: string }>('/calls', {
      agent_id: agent.id,
      phone_number_id: number.id,
      to: '+4930901800',
      contact_id: contact.id,
      metadata,
    }),
  );
  await server.advance(120_000);
  const campaign = await aCampaign(server, { name: cut(short, 100), agentId: agent.id, phoneNumberId: number.id });
  const tags = [cut(short, 50)];
  const phones = Array.from({ length: 30 }, (_, at) => `+49309018${String(at).padStart(2, '0')}`);
  const contacts = phones.map((phone) => ({ phone, first_name: cut(short, 100), tags }));
  dataOf(await server.post(`/campaigns/${campaign.id}/contacts`, { contacts }));
  dataOf(await server.patch(`/campaigns/${campaign.id}/`, { status: 'active' }));
  await server.advance(90_000);
  const base = await fillRest(server, texts);
  const deliveries = dataOf(await server.get<Data[]>('/webhooks/deliveries?limit=500'));
  return {
    ids: {
      campaign: campaign.id,
      contact: contact.id,
      call: call.call_id,
      agent: agent.id,
      base,
      delivery: deliveries.at(-1)!.id,
    },
  };
}

/** A knowledge base with a text and a file that cannot be read, a number not to call, a key and an invited person. Answers the base's id. */
async function fillRest(server: TestServer, { short, long, invited = 'invited@example.com' }: Texts): Promise<string> {
  const made = dataOf(await server.post('/rag/knowledgebases', { name: cut(short, 100) }));
  const base = String(made['knowledge_base_id']);
  const path = `/rag/knowledge-base/${base}/add-sources`;
  dataOf(await server.post(path, { knowledge_base_texts: [{ title: cut(short, 100), text: long }] }));
  const file = new FormData();
  file.append('file', new Blob(['%PDF-1.7 broken'], { type: 'application/pdf' }), `${cut(short, 40)}.pdf`);
  dataOf(await server.post(path, file));
  dataOf(await server.post('/do-not-call', { phone: '+442071234567', reason: cut(long, 500) }));
  dataOf(await server.post('/api-keys', { name: cut(short, 100), role: 'viewer' }));
  dataOf(await server.post('/users', { email: invited, role: 'member' }));
  await server.advance(600_000);
  return base;
}
