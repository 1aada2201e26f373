import { request } from 'node:http';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { linesAt, pdfOf } from '../../test/support/documents/pdf.ts';
import { endpointsOf, makeAgent, makeBase, type Tenant } from './tenant.ts';

export type Hostile = { tenant: Tenant; url: string; apiKey: string; sink: string };

/** Starts an attack, which lasts until the process ends. Requests of the attack may fail. */
export type Attack = (hostile: Hostile) => Promise<void>;

/** An attacker has another address than its neighbours; the whole of 127.0.0.0/8 is this machine. */
export const attackerAddress = '127.0.0.2';

const ignored = (): undefined => undefined;

/** Keeps `width` calls of `once` running at the same time, forever. */
function forever(width: number, once: () => Promise<unknown>): void {
  const loop = async (): Promise<never> => {
    for (;;) {
      await once().catch(ignored);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  for (let index = 0; index < width; index += 1) void loop();
}

async function webhooksTo({ tenant, sink }: Hostile, path: string): Promise<void> {
  for (let index = 0; index < 100; index += 1) await makeAgent(tenant, `${sink}/${path}/${index}`);
  const endpoints = await endpointsOf(tenant);
  let next = 0;
  forever(4, () => tenant.send('POST', `/webhooks/endpoints/${endpoints[next++ % endpoints.length]!.id}/test`, {}));
}

/** Sends one byte of a body now and then, on many connections. */
function drip({ url, apiKey }: Hostile, path: string, type: string): void {
  const once = (): Promise<void> =>
    new Promise((resolve) => {
      const headers = { 'x-api-key': apiKey, 'content-type': type, 'content-length': '1000000' };
      const sent = request(`${url}/api/v1${path}`, { method: 'POST', headers, localAddress: attackerAddress });
      const timer = setInterval(() => sent.write('x'), 500);
      sent.on('response', (answer) => answer.resume());
      sent.on('error', ignored);
      sent.once('close', () => {
        clearInterval(timer);
        resolve();
      });
    });
  forever(60, once);
}

const costlyPdf = (): Buffer => {
  const line = Array.from({ length: 12 }, (_, index) => `word${index}`).join(' ');
  return pdfOf(
    Array.from({ length: 60 }, () =>
      linesAt(
        780,
        Array.from({ length: 60 }, () => line),
      ),
    ),
  );
};

const deep = `{"first_name":"x","metadata":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}`;
const wide = JSON.stringify({ contacts: Array.from({ length: 400_000 }, () => ({})) });

/** Sends 20 requests at once on each of many connections, again and again. */
function pipeline({ url }: Hostile, connections: number): void {
  const { hostname, port } = new URL(url);
  const burst = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n'.repeat(20);
  const once = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect({ port: Number(port), host: hostname, localAddress: attackerAddress }, () =>
        socket.write(burst),
      );
      socket.setTimeout(2000, () => socket.destroy());
      socket.on('data', ignored);
      socket.on('error', ignored);
      socket.once('close', () => resolve());
    });
  forever(connections, once);
}

export const attacks: Readonly<Record<string, Attack>> = {
  'no attack, a busy core': () => Promise.resolve(void new Worker('for (;;);', { eval: true })),
  'hanging webhooks': (hostile) => webhooksTo(hostile, 'hang'),
  'dripping webhooks': (hostile) => webhooksTo(hostile, 'drip'),
  'failing webhooks': (hostile) => webhooksTo(hostile, 'fail'),
  'enormous webhook answers': (hostile) => webhooksTo(hostile, 'enormous'),
  'dripping uploads': (hostile) => Promise.resolve(drip(hostile, '/contacts/import', 'text/csv')),
  'enormous bodies': ({ tenant }) =>
    Promise.resolve(
      forever(8, () => tenant.send('POST', '/campaigns/01990000-0000-7000-8000-000000000000/contacts', wide)),
    ),
  'deep bodies': ({ tenant }) => Promise.resolve(forever(8, () => tenant.send('POST', '/contacts', deep))),
  'documents dear to read': async ({ tenant, url, apiKey }) => {
    const base = await makeBase(tenant);
    const pdf = new Blob([new Uint8Array(costlyPdf())], { type: 'application/pdf' });
    forever(4, async () => {
      const body = new FormData();
      body.append('knowledge_base_files', pdf, `${Math.random()}.pdf`);
      const path = `/api/v1/rag/knowledge-base/${base}/add-sources`;
      await (await fetch(url + path, { method: 'POST', headers: { 'x-api-key': apiKey }, body })).text();
    });
  },
  'questions without end': async ({ tenant }) => {
    const base = await makeBase(tenant);
    const text = Array.from({ length: 20_000 }, (_, index) => `walrus ${index}`).join(' ');
    await tenant.send('POST', '/rag/document', { kb_id: base, text });
    forever(50, () => tenant.send('POST', `/rag/knowledge-base/${base}/query`, { query: 'walrus 7 where' }));
  },
  'anonymous log-ins': ({ url }) =>
    Promise.resolve(
      forever(50, async () => {
        const body = JSON.stringify({ email: 'who@example.com', password: 'not the password' });
        const headers = { 'content-type': 'application/json' };
        await (await fetch(`${url}/api/v1/auth/login`, { method: 'POST', headers, body })).text();
      }),
    ),
  'pipelined requests': (hostile) => Promise.resolve(pipeline(hostile, 900)),
  'thousands of contacts at once': async ({ tenant }) => {
    const { id } = await tenant.send<{ id: string }>('POST', '/campaigns', { name: 'Crowd' });
    let next = 0;
    const phones = () =>
      Array.from({ length: 10_000 }, () => ({ phone: `+4930${String(10_000_000 + (next += 1)).padStart(8, '0')}` }));
    forever(1, () => tenant.send('POST', `/campaigns/${id}/contacts`, { contacts: phones() }));
  },
  'contacts without end': ({ tenant }) =>
    Promise.resolve(forever(64, () => tenant.send('POST', '/contacts', { first_name: 'Ada' }))),
};
