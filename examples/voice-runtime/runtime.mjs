/**
 * A voice runtime that speaks the protocol of parley's carrier `http` and holds an invented conversation: a place to begin with your own.
 * No telephone rings. docs/http-carrier.md explains each message.
 *
 *   CARRIER_SECRET=… PORT=7000 node runtime.mjs
 *
 * Node 20 or later, no dependencies. What it keeps in memory a runtime of yours keeps on disk: after a restart parley asks for its calls.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.CARRIER_SECRET ?? '';
const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
if (key.length === 0) throw new Error('Set CARRIER_SECRET to carrier.http.secret of parley.');
/** Milliseconds between two steps of a conversation. */
const paceMs = Number(process.env.PACE_MS ?? 1000);

/** The calls by their id: `{ message, answeredAt, entries, isOver }`. */
const calls = new Map();

const signatureOf = (id, seconds, body) => createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest();

function isSigned(headers, body) {
  const [id, seconds, signatures = ''] = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`]);
  if (!(Math.abs(Date.now() / 1000 - Number(seconds)) < 300)) return false;
  const expected = signatureOf(id, seconds, body);
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Posts to parley, signed. Repeats what was not answered: reports may come twice and in any order. */
async function post(url, id, message) {
  const body = JSON.stringify(message);
  for (let delayMs = 200; ; delayMs = Math.min(2 * delayMs, 10_000)) {
    const seconds = Math.floor(Date.now() / 1000);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${signatureOf(id, seconds, body).toString('base64')}`,
    };
    const response = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
    const answer = await response?.json().catch(() => undefined);
    if (response && response.status < 500 && response.status !== 429) {
      if (!response.ok) console.error(`${message.type ?? 'question'}: ${response.status} ${answer?.message}`);
      return answer?.data;
    }
    await pause(delayMs);
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Reports on a call. parley answers with the state it knows: `ended` means that somebody has hung up there. */
async function report(call, type, fields = {}) {
  const { call_session_id: id, callback_url: url } = call.message;
  const message = { type, call_session_id: id, at: new Date().toISOString(), ...fields };
  const data = await post(url, `${id}-${type}-${(call.reports = (call.reports ?? 0) + 1)}`, message);
  if (data?.state === 'ended') call.isOver = true;
}

async function say(call, role, content) {
  const entry = { timestamp_ms: Date.now() - call.answeredAt, role, content };
  call.entries.push(entry);
  await report(call, 'transcript', { entries: [entry] });
  await pause(paceMs);
}

/** Asks the knowledge bases of the agent, as its language model would call the tool. */
async function search(call, query) {
  const tool = call.message.tools.find(({ name }) => name === 'search_knowledge');
  if (!tool) return undefined;
  const { call_session_id: id } = call.message;
  const passages = await post(tool.url, `${id}-search-${query}`, { call_session_id: id, query, limit: 1 });
  return passages?.[0]?.text;
}

/** The conversation. A runtime of yours dials, listens and speaks here. */
async function converse(call) {
  const { agent, contact, metadata } = call.message;
  await pause(paceMs);
  await report(call, 'ringing');
  await pause(paceMs);
  if (call.isOver) return;
  call.answeredAt = Date.now();
  await report(call, 'answered');
  await say(call, 'agent', agent.first_message ?? `Hello ${contact.name ?? ''}, this is ${agent.name}.`);
  const question = metadata.question ?? 'When are you open?';
  if (!call.isOver) await say(call, 'user', question);
  if (!call.isOver) await say(call, 'agent', (await search(call, question)) ?? 'I will ask and call you back.');
  if (call.isOver) return;
  call.isOver = true;
  await report(call, 'ended', {
    status: 'completed',
    disconnect_reason: 'customer_hangup',
    duration_sec: Math.round((Date.now() - call.answeredAt) / 1000),
    summary: `Asked: ${question}`,
    entries: call.entries,
  });
}

function dial(message) {
  if (calls.has(message.call_session_id)) return [409, { accepted: true }]; // a repeated message: parley takes it as accepted
  const call = { message, entries: [], isOver: false };
  calls.set(message.call_session_id, call);
  converse(call).catch((error) => console.error(error));
  return [202, { accepted: true }];
}

function hangUp({ call_session_id: id }) {
  const call = calls.get(id);
  if (!call) return [404, {}];
  call.isOver = true; // parley has ended the call already; it needs no report
  return [200, {}];
}

function answerTo(request, body) {
  if (!isSigned(request.headers, body)) return [401, { message: 'The signature does not match.' }];
  if (request.method === 'GET') return [calls.has(request.url.split('/').at(-1)) ? 200 : 404, {}];
  const message = JSON.parse(body);
  if (message.type === 'call.dial') return dial(message);
  if (message.type === 'call.hangup') return hangUp(message);
  return [400, { message: `Unknown message ${message.type}.` }];
}

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const [status, answer] = answerTo(request, Buffer.concat(chunks));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
}).listen(Number(process.env.PORT ?? 7000), '127.0.0.1');
