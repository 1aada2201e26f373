import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aServer, aTrunk, anAnsweringNumber, callIn, toAnInvite } from '../http/sip-incoming-support.ts';
import { portRange } from '../support/sip/ports.ts';
import { headerIn } from '../support/sip/peer.ts';

test('a stopping server ends a call that came in', async (t) => {
  const { server, port } = await aServer(t);
  const trunk = await aTrunk(t);
  const { number } = await anAnsweringNumber(server, trunk);
  const sent = trunk.invite(port, { to: number.phone });
  sent.ack(await trunk.next(toAnInvite(200)));
  await callIn(server, 'in_progress');
  const stopped = server.stop();
  trunk.answer(await trunk.next('BYE'), 200);
  await stopped;
});

test("a flood of one organization's trunk does not keep another's calls waiting", async (t) => {
  const { portMin, portMax } = await portRange(400);
  const ports = { 'sip.rtp_port_min': String(portMin), 'sip.rtp_port_max': String(portMax) };
  const { server, port } = await aServer(t, ports);
  const [hostile, honest] = [await aTrunk(t, '127.0.0.7'), await aTrunk(t, '127.0.0.8')];
  const other = await server.newOrganization();
  const flooded = await anAnsweringNumber(other, hostile, {});
  const { number } = await anAnsweringNumber(server, honest);
  let sent = 0;
  const flood = (): void => {
    for (let call = 0; call < 700; call += 1) hostile.invite(port, { to: flooded.number.phone });
    sent += 700;
  };
  flood();
  for (let call = 0; call < 5; call += 1) {
    flood();
    const invite = honest.invite(port, { to: number.phone });
    const repeat = setInterval(invite.repeat, 500); // as a trunk does: a datagram may be lost
    const answer = await honest.next(
      (message) => message.status >= 200 && headerIn(message, 'Call-ID') === invite.callId,
    );
    clearInterval(repeat);
    assert.equal(answer.status, 200);
    invite.ack(answer);
    invite.request(answer, 'BYE');
  }
  const answered = hostile.received.filter(({ status }) => status >= 200).length;
  assert.ok(answered > 0 && answered < sent, `${answered} of ${sent} were taken, the others dropped`);
});
