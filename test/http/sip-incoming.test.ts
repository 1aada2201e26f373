import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { aContact, aNumber, aPhone } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';
import { audioOf, headerIn } from '../support/sip/peer.ts';
import { aReceiver } from './calling-support.ts';
import type { InviteParts } from '../support/sip/dialing-trunk.ts';
import { aServer, aTrunk, anAnsweringNumber, callIn, toAnInvite } from './sip-incoming-support.ts';

test('a call to a number is answered by its agent, and its end is delivered', async (t) => {
  const receiver = await aReceiver(t);
  const { server, port } = await aServer(t);
  const trunk = await aTrunk(t);
  const { agent, number } = await anAnsweringNumber(server, trunk, {}, { webhook_url: receiver.url });
  const phone = aPhone();
  const oldest = await aContact(server, { phone, first_name: 'Ada', email: 'ada@example.com' });
  await aContact(server, { phone, first_name: 'Later' });

  const sent = trunk.invite(port, { to: number.phone.slice(1), from: `"Ada" <sip:${phone}@127.0.0.1>` });
  const answer = await trunk.next(toAnInvite(200));
  assert.match(answer.body, /m=audio \d+ RTP\/AVP 0 101\r\n/);
  assert.match(headerIn(answer, 'Contact'), new RegExp(`<sip:\\+?${number.phone.slice(1)}@127.0.0.1:${port}>`));
  sent.ack(answer);
  const live = await callIn(server, 'in_progress');
  assert.deepEqual(
    {
      direction: live['direction'],
      phone: live['phone'],
      caller_number: live['caller_number'],
      callee_number: live['callee_number'],
      contact_id: live['contact_id'],
      campaign_id: live['campaign_id'],
      agent_id: live['agent_id'],
      channel: live['channel'],
      caller_name: live['caller_name'],
    },
    {
      direction: 'inbound',
      phone,
      caller_number: phone,
      callee_number: number.phone,
      contact_id: oldest.id,
      campaign_id: null,
      agent_id: agent.id,
      channel: 'sip',
      caller_name: 'Ada',
    },
  );
  sent.request(answer, 'BYE');
  await trunk.next(({ status, headers }) => status === 200 && headers.some(([, value]) => value === '2 BYE'));
  const ended = await callIn(server, 'ended');
  assert.deepEqual([ended.status, ended['disconnect_reason']], ['completed', 'customer_hangup']);
  const facts = ended['sip'] as Record<string, unknown>;
  assert.deepEqual([facts['call_id'], facts['codec'], facts['status_code']], [sent.callId, 'PCMU', null]);
  const timeline = dataOf(await server.get<Array<{ type: string }>>(`/calls/${ended.call_id}/timeline`));
  assert.deepEqual(
    timeline.map(({ type }) => type),
    ['invite', 'answered', 'greeting', 'hangup'],
  );
  while (receiver.events.length === 0) await pause(20);
  const { data } = receiver.events[0]!;
  assert.deepEqual(
    [data['call_id'], data['direction'], data['contact_id'], data['phone']],
    [ended.call_id, 'inbound', oldest.id, phone],
  );
});

test('a number that is not ours, without an agent, with an INACTIVE one, without a line or with other codecs refuses', async (t) => {
  const { server, port } = await aServer(t);
  const trunk = await aTrunk(t);
  const { agent, number } = await anAnsweringNumber(server, trunk, {});
  const silent = await aNumber(server, { termination_uri: trunk.uri });
  const stranger = await server.newOrganization();
  const elsewhere = await anAnsweringNumber(stranger, trunk, { termination_uri: '127.0.0.9' });
  const refusal = async (to: string, status: number, body?: string): Promise<void> => {
    const sent = trunk.invite(port, { to, ...(body === undefined ? {} : { body }) });
    const answer = await trunk.next((message) => message.status >= 200 && headerIn(message, 'Call-ID') === sent.callId);
    sent.ack(answer);
    assert.equal(answer.status, status, to);
  };
  await refusal('+4930111222333', 404);
  await refusal('reception', 404);
  await refusal(silent.phone, 404);
  await refusal(elsewhere.number.phone, 404); // from the trunk of another number
  await refusal(number.phone, 488, audioOf(46_000, { payloads: '18' }));
  dataOf(await server.patch(`/phone-numbers/${number.id}`, { max_concurrent: 1 }));
  const first = trunk.invite(port, { to: number.phone });
  const answer = await trunk.next(toAnInvite(200));
  first.ack(answer);
  await refusal(number.phone, 486);
  dataOf(await server.put(`/agents/${agent.id}`, { status: 'INACTIVE' }));
  await refusal(number.phone, 480);
  first.request(answer, 'BYE');
  await callIn(server, 'ended');
});

test('an unknown source gets no answer, and neither does anything else that belongs to no call', async (t) => {
  const { server, port } = await aServer(t);
  const [trunk, scanner] = [await aTrunk(t), await aTrunk(t, '127.0.0.3')];
  const { number } = await anAnsweringNumber(server, trunk);
  scanner.invite(port, { to: number.phone });
  for (const method of ['OPTIONS', 'REGISTER', 'BYE']) {
    for (const peer of method === 'OPTIONS' ? [scanner] : [trunk, scanner]) {
      const call = `Call-ID: ${method}\r\nCSeq: 1 ${method}\r\nContent-Length: 0\r\n\r\n`;
      const via = `Via: SIP/2.0/UDP ${peer.uri};branch=z9hG4bK${method}`;
      peer.sendRaw(port, `${method} sip:x@y SIP/2.0\r\n${via}\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:x@y>\r\n${call}`);
    }
  }
  // It is answered after all of those were read.
  const sent = trunk.invite(port, { to: number.phone });
  const answer = await trunk.next(toAnInvite(200));
  sent.ack(answer);
  sent.request(answer, 'BYE');
  await callIn(server, 'ended');
  assert.deepEqual(scanner.received, []);
  assert.ok(trunk.received.every((message) => headerIn(message, 'Call-ID') === sent.callId));
});

test('/metrics tells of live calls, dropped messages and sound', async (t) => {
  const { server, port } = await aServer(t);
  const [trunk, scanner] = [await aTrunk(t), await aTrunk(t, '127.0.0.3')];
  const { number } = await anAnsweringNumber(server, trunk);
  const scrape = async (): Promise<Map<string, number>> => {
    const text = await (await fetch(`${server.url}/metrics`, { headers: { 'x-api-key': server.apiKey } })).text();
    return new Map(
      text.split('\n').map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
    );
  };
  const idle = await scrape();
  assert.equal(idle.get('parley_sip_calls{state="in_progress"}'), 0);
  assert.equal(idle.get('parley_rtp_packets_total{direction="sent"}'), 0);
  scanner.invite(port, { to: number.phone });
  const sent = trunk.invite(port, { to: number.phone });
  const answer = await trunk.next(toAnInvite(200));
  sent.ack(answer);
  const call = await callIn(server, 'in_progress');
  for (;;) {
    const now = await scrape();
    if (now.get('parley_rtp_packets_total{direction="sent"}') === 0) continue;
    assert.equal(now.get('parley_sip_calls{state="in_progress"}'), 1);
    assert.equal(now.get('parley_sip_dropped_total{reason="unknown"}'), 1);
    assert.ok(now.get('parley_rtp_send_lateness_seconds_bucket{le="+Inf"}')! > 0);
    assert.equal(now.get('parley_rtp_packets_lost_total'), 0);
    break;
  }
  dataOf(await server.post(`/calls/${call.call_id}/hangup`));
  trunk.answer(await trunk.next('BYE'), 200);
  for (let responses = 0; responses === 0;) {
    responses = (await scrape()).get('parley_sip_responses_total{code="200"}') ?? 0;
  }
});

test('a source of sip.inbound_networks may call, a withheld caller is nobody, and an INVITE without an offer gets ours', async (t) => {
  const { server, port } = await aServer(t, { 'sip.inbound_networks': '["127.0.0.4/32"]' });
  const carrier = await aTrunk(t, '127.0.0.4');
  const { number } = await anAnsweringNumber(server, carrier, { termination_uri: '127.0.0.9' });
  const sent = carrier.invite(port, {
    to: number.phone,
    from: '"Anonymous" <sip:anonymous@anonymous.invalid>',
    headers: [
      ['P-Asserted-Identity', `<sip:${aPhone()}@carrier.example>`],
      ['Privacy', 'id'],
    ],
    body: null,
  });
  const answer = await carrier.next(toAnInvite(200));
  assert.match(answer.body, /m=audio \d+ RTP\/AVP 0 8 101\r\n/);
  sent.ack(answer, audioOf(46_000, { payloads: '8' }));
  const call = await callIn(server, 'in_progress');
  assert.deepEqual([call['phone'], call['caller_number'], call['contact_id']], [null, null, null]);
  dataOf(await server.post(`/calls/${call.call_id}/hangup`));
  carrier.answer(await carrier.next('BYE'), 200);
  const ended = await callIn(server, 'ended');
  assert.deepEqual([ended.status, ended['disconnect_reason']], ['completed', 'agent_hangup']);
});

test('a caller who gives up has called, a repeated INVITE is one call, and an ACK that never names sound ends it', async (t) => {
  const { server, port } = await aServer(t);
  const trunk = await aTrunk(t);
  const { number } = await anAnsweringNumber(server, trunk);
  const sent = trunk.invite(port, { to: number.phone, body: null });
  sent.repeat();
  sent.repeat();
  const answer = await trunk.next(toAnInvite(200));
  sent.ack(answer);
  trunk.answer(await trunk.next('BYE'), 200);
  const ended = await callIn(server, 'ended');
  assert.equal(ended.status, 'failed');
  assert.match(String(ended['error_message']), /session description is missing/);
});

test('a number that changes its trunk takes calls from the new one, and a released one from nobody', async (t) => {
  const { server, port } = await aServer(t);
  const [before, after] = [await aTrunk(t, '127.0.0.5'), await aTrunk(t, '127.0.0.6')];
  const { number } = await anAnsweringNumber(server, before);
  dataOf(await server.patch(`/phone-numbers/${number.id}`, { termination_uri: after.uri }));
  before.invite(port, { to: number.phone });
  const sent = after.invite(port, { to: number.phone });
  const answer = await after.next(toAnInvite(200));
  sent.ack(answer);
  sent.request(answer, 'BYE');
  await callIn(server, 'ended');
  assert.deepEqual(before.received, []);
});

test('called number and caller are read as the country of our number writes them, also in other headers', async (t) => {
  const { server, port } = await aServer(t);
  const trunk = await aTrunk(t);
  const { number } = await anAnsweringNumber(server, trunk, { phone: '+4930901821' });
  const to = [['To', '<sip:030901821@127.0.0.1>'] as const];
  const called = [['P-Called-Party-ID', '<sip:030901821@127.0.0.1>'] as const];
  const forms: ReadonlyArray<readonly [InviteParts, string | null]> = [
    [{ to: '030901821', from: '<sip:030901820@127.0.0.1>' }, '+4930901820'],
    [{ to: '004930901821', from: '<sip:0033142685300@127.0.0.1>' }, '+33142685300'],
    [{ to: 'main', headers: called, from: '<sip:12345@127.0.0.1>' }, null],
    [{ to: '030111111', headers: called, from: '<sip:+4930901820@127.0.0.1>' }, '+4930901820'],
    [{ to: 'line-3', toHeader: to[0]![1], from: '<sip:4930901820@127.0.0.1>' }, null],
  ];
  for (const [parts, caller] of forms) {
    const sent = trunk.invite(port, parts);
    const answer = await trunk.next((message) => message.status >= 200 && headerIn(message, 'Call-ID') === sent.callId);
    sent.ack(answer);
    assert.equal(answer.status, 200, JSON.stringify(parts));
    sent.request(answer, 'BYE');
    await trunk.next(
      (message) => headerIn(message, 'Call-ID') === sent.callId && headerIn(message, 'CSeq') === '2 BYE',
    );
    const [call] = dataOf(await server.get<Array<Record<string, unknown>>>('/calls?limit=1'));
    assert.deepEqual([call!['callee_number'], call!['caller_number']], [number.phone, caller], JSON.stringify(parts));
  }
});
