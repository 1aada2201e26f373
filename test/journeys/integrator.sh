# An integrator's day: the tests of their program run in CI against a server that lives as long as the job. $CLIENT is the packed client.
set -euo pipefail
trap 'kill $(jobs -p) 2> /dev/null || true' EXIT

mkdir project && cd project
npm init --yes > /dev/null
npm install --offline --no-audit --no-fund "$CLIENT" > /dev/null

cat > job.mjs <<'PROGRAM'
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import * as parley from 'parley-client';
import { verifyWebhook } from 'parley-client/webhooks';

const { url, api_key: apiKey } = JSON.parse(readFileSync('ready.json', 'utf8'));
const client = parley.createClient({ baseUrl: url, apiKey });

const advance = async (ms) => {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/v1/test-clock/advance`, { method: 'POST', headers, body: JSON.stringify({ ms }) });
  assert.equal(answer.status, 200);
};

let secret;
const events = [];
const receiver = createServer(async (request, response) => {
  try {
    const { event } = await verifyWebhook({ body: await text(request), headers: request.headers, secret });
    events.push(event);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');

const { data: agent } = await parley.createAgent(client, {
  body: {
    agentName: 'Ada',
    model: 'parley-demo',
    voiceId: '01990000-0000-7000-8000-000000000101',
    webhook_url: `http://127.0.0.1:${receiver.address().port}/hooks`,
  },
});
({ secret } = (await parley.getWebhookSecret(client, { params: { id: agent.id } })).data);
const { data: number } = await parley.importPhoneNumber(client, {
  body: { phone: '+4930901820', termination_uri: 'sip.example.com' },
});

// A call with a course of its own.
const transcript = [
  { role: 'agent', text: 'Shall we send the books?' },
  { role: 'user', text: 'No, I will collect them.' },
];
const { data: call } = await parley.createCall(client, {
  body: {
    agent_id: agent.id,
    phone_number_id: number.id,
    to: '+4930901899',
    metadata: { order: 17 },
    simulate: { outcome: 'completed', ring_ms: 2000, talk_ms: 9000, transcript, summary: 'Collects the books.' },
  },
});
await advance(60_000);
const { data: ended } = await parley.getCall(client, { params: { id: call.call_session_id } });
assert.deepEqual([ended.status, ended.duration_sec, ended.summary], ['completed', 9, 'Collects the books.']);
assert.deepEqual(ended.metadata, { order: 17 });
assert.deepEqual(ended.transcripts.map(({ role, message }) => ({ role, text: message.content })), transcript);

// A campaign: one contact is busy at every attempt, the other one is drawn from the seed.
const { data: campaign } = await parley.createCampaign(client, {
  body: { name: 'Job', agentId: agent.id, phoneNumberId: number.id, schedule: { retryAttempts: 1, retryGapMin: 1440 } },
});
await parley.addCampaignContacts(client, {
  params: { id: campaign.id },
  body: { contacts: [{ phone: '+4930901810', simulate: { outcome: 'busy' } }, { phone: '+4930901811' }] },
});
await parley.updateCampaign(client, { params: { id: campaign.id }, body: { status: 'active' } });
await advance(2 * 86_400_000);
const { data: done } = await parley.getCampaign(client, { params: { id: campaign.id } });
assert.equal(done.status, 'completed');
const { data: calls } = await parley.listCalls(client, { query: { campaign_id: campaign.id } });
const busy = calls.filter(({ phone }) => phone === '+4930901810');
assert.deepEqual(busy.map(({ status }) => status), ['busy', 'busy']);

assert.equal(events.length, calls.length + 1);
assert.deepEqual(events[0].data.summary, 'Collects the books.');
receiver.close();

// All that depends on chance; two jobs with one seed print the same.
for (const one of calls) console.log(one.call_id, one.phone, one.status, one.duration_sec);
for (const { event, data } of events) console.log(event, data.call_id, data.status);
PROGRAM

job() {
  rm -f ready.json
  parley serve --ephemeral --port 0 --ready-file ready.json --test-clock 2026-03-02T09:00:00Z --seed "$1" \
    --set webhooks.allow_http_loopback=true > /dev/null 2> parley.log &
  until [ -s ready.json ]; do kill -0 $!; sleep 0.1; done
  node job.mjs > "$2"
  kill $!
  wait $!
}

job 7 first.txt
job 7 second.txt
job 8 other.txt
diff first.txt second.txt
if cmp -s first.txt other.txt; then echo 'another seed changed nothing' >&2; exit 1; fi
echo "$(wc -l < first.txt) lines are the same with the same seed"
