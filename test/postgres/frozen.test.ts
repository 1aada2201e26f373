// Waits: for a node to be given up
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { createClient } from '../crash/client.ts';
import { createNodes, type Nodes } from '../crash/nodes.ts';
import { windowAroundNow } from '../crash/populate.ts';
import { until, within } from '../crash/waiting.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import { freePort } from '../support/sip/free-port.ts';
import { headerIn, type Peer, type PeerMessage, startPeer } from '../support/sip/peer.ts';

// Real time: a process is stopped and woken.
const programs = postgresPrograms();
const skip = programs === undefined && 'needs a PostgreSQL server (Debian: postgresql)';
let postgres: PostgresServer;
before(() => void (programs && (postgres = startPostgres(programs))));
after(() => postgres?.stop());

const limitMs = 60_000;

/** Half of the called are busy, and the others say nothing, so that their INVITEs are repeated. */
function trunk(peer: Peer, request: PeerMessage): void {
  if (request.method !== 'INVITE') return peer.answer(request, { status: 200, reason: 'OK' });
  if (Number(/(\d)@/.exec(request.uri)?.[1]) % 2 === 0) peer.answer(request, { status: 486, reason: 'Busy Here' });
}

/** A mail server that greets no connection until it is told to, and afterwards each at once. */
async function aSlowMailServer(t: TestContext) {
  const sessions: Array<{ commands: string[]; greet(): void }> = [];
  let isSlow = true;
  const connected = Promise.withResolvers<void>();
  const server = createServer((socket: Socket) => {
    const commands: string[] = [];
    const says = (text: string): void => void socket.write(`${text}\r\n`);
    const greet = (): void => says('220 mail.example.com ESMTP');
    sessions.push({ commands, greet });
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      commands.push(
        ...bytes
          .toString()
          .split('\r\n')
          .filter((line) => line !== ''),
      );
      const last = commands.at(-1)!;
      says(last === 'DATA' ? '354 go on' : last === 'QUIT' ? '221 bye' : '250 mail.example.com');
    });
    connected.resolve();
    if (!isSlow) greet();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return {
    port: (server.address() as AddressInfo).port,
    sessions,
    connected: connected.promise,
    hurry() {
      isSlow = false;
      for (const { greet } of sessions.slice(1)) greet();
    },
  };
}

async function nodesWithTrunk(t: TestContext, mailPort: number): Promise<{ nodes: Nodes; ports: Map<string, string> }> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-frozen-'));
  postgres.run('postgres', 'CREATE DATABASE frozen');
  const ports = new Map<string, string>();
  const nodes = await createNodes(
    directory,
    {
      'carrier.driver': 'sip',
      'speech.engine': 'echo',
      'sip.host': '127.0.0.1',
      'sip.allow_networks': '["127.0.0.0/8"]',
      'email.host': '127.0.0.1',
      'email.port': String(mailPort),
      'http.public_url': 'http://127.0.0.1',
      'log.level': 'warn',
    },
    {
      names: ['one', 'two'],
      at: { folder: postgres.folder, database: 'frozen' },
      async own(name) {
        ports.set(name, String(await freePort()));
        return { 'sip.port': ports.get(name)! };
      },
    },
  );
  t.after(async () => {
    nodes.giveUp();
    await nodes.kill();
    rmSync(directory, { recursive: true, force: true });
  });
  for (const node of nodes.all) await node.start();
  return { nodes, ports };
}

/** A campaign that calls without a pause. */
async function startCalling(nodes: Nodes, peer: Peer): Promise<void> {
  const client = createClient(nodes);
  const [model] = await client.ask<Array<{ llmModel: string; voices: Array<{ id: string }> }>>(
    'GET',
    '/available-llm-models/with-voices',
  );
  type Made = { id: string };
  const voice = { model: model!.llmModel, voiceId: model!.voices[0]!.id };
  const agent = await client.ask<Made>('POST', '/agents/', { agentName: 'Robin', ...voice });
  const number = await client.ask<Made>('POST', '/phone-numbers/import', {
    phone: '+4930901821',
    termination_uri: peer.uri,
  });
  await client.ask('PATCH', `/phone-numbers/${number.id}`, { max_cps: 100 });
  const campaign = await client.ask<Made>('POST', '/campaigns/', {
    name: 'Spring',
    agentId: agent.id,
    phoneNumberId: number.id,
    maxCps: 5,
    schedule: { ...windowAroundNow(), timezone: 'UTC', maxConcurrent: 80, retryAttempts: 0 },
  });
  const contacts = Array.from({ length: 400 }, (_, at) => ({ phone: `+4930111${String(at).padStart(4, '0')}` }));
  await client.ask('POST', `/campaigns/${campaign.id}/contacts`, { contacts });
  await client.ask('PATCH', `/campaigns/${campaign.id}/`, { status: 'active' });
}

test('a node that was frozen sends no INVITE and no e-mail once it wakes', { skip }, async (t) => {
  const peer = await startPeer(trunk);
  t.after(() => peer.close());
  const mail = await aSlowMailServer(t);
  const { nodes, ports } = await nodesWithTrunk(t, mail.port);
  const [one, two] = nodes.all as [(typeof nodes.all)[0], (typeof nodes.all)[0]];
  const invitesOf = (name: string): PeerMessage[] =>
    peer.received.filter(
      (message) => message.method === 'INVITE' && headerIn(message, 'Via').includes(`:${ports.get(name)}`),
    );
  await startCalling(nodes, peer);
  await createClient(nodes).ask('POST', '/users', { email: 'ada@example.com', role: 'viewer' });
  await within(limitMs, 'an e-mail under way', mail.connected);
  await until(limitMs, 'calls under way', () => Promise.resolve(invitesOf('one').length > 20));

  one.signal('SIGSTOP');
  try {
    await until(limitMs, 'the other node calls', () => Promise.resolve(invitesOf('two').length > 5));
    const sent = invitesOf('one').length;
    mail.hurry();
    mail.sessions[0]!.greet();
    one.signal('SIGCONT');
    assert.equal((await within(limitMs, 'the end of the frozen node', one.ended())).code, 1);
    assert.deepEqual(
      invitesOf('one')
        .slice(sent)
        .map(({ text }) => text.split('\r\n')[0]),
      [],
      'INVITEs after waking',
    );
    assert.deepEqual(
      mail.sessions[0]!.commands.filter((command) => /^(?:MAIL|RCPT|DATA)/.test(command)),
      [],
    );
  } finally {
    one.signal('SIGCONT');
  }
  await until(limitMs, 'the e-mail of the other node', () =>
    Promise.resolve(mail.sessions.slice(1).some(({ commands }) => commands.includes('DATA'))),
  );
  const dialed = Map.groupBy(
    peer.received.filter(({ method }) => method === 'INVITE'),
    ({ uri }) => uri,
  );
  for (const [uri, invites] of dialed) {
    const calls = new Set(invites.map((invite) => headerIn(invite, 'Call-ID')));
    assert.equal(calls.size, 1, `${uri} was called ${calls.size} times`);
  }
  assert.equal(two.state(), 'ready');
});
