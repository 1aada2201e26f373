import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { openingInstructions } from '../../../../src/talking/conversation/instructions.ts';
import { heardPart, interruptionOf } from '../../../../src/talking/conversation/interruption.ts';
import { createKeypad } from '../../../../src/talking/conversation/keypad.ts';
import { useOwnTool } from '../../../../src/talking/conversation/own-tools.ts';
import { createPatience } from '../../../../src/talking/conversation/patience.ts';
import { createResponses, type ResponseRequest } from '../../../../src/talking/conversation/responses.ts';

test('an interruption cuts the items that were not sent whole, never at 0 and never beyond what came', () => {
  assert.equal(interruptionOf([]), undefined);
  assert.equal(interruptionOf([{ id: 'a', receivedMs: 500, sentMs: 500, isComplete: true }]), undefined);
  assert.deepEqual(
    interruptionOf([
      { id: 'a', receivedMs: 500, sentMs: 500, isComplete: true },
      { id: 'b', receivedMs: 1000, sentMs: 240.5, isComplete: true },
      { id: 'c', receivedMs: 300, sentMs: 0, isComplete: false },
    ]),
    { truncations: [{ id: 'b', audioEndMs: 240 }], isUnheard: false },
  );
  const item = fc.record({
    id: fc.string(),
    receivedMs: fc.double({ min: 0, max: 100_000, noNaN: true }),
    sentMs: fc.double({ min: 0, max: 100_000, noNaN: true }),
    isComplete: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(item), (items) => {
      for (const { audioEndMs } of interruptionOf(items)?.truncations ?? []) {
        assert.ok(Number.isInteger(audioEndMs) && audioEndMs > 0);
        assert.ok(items.some(({ receivedMs, sentMs }) => audioEndMs <= receivedMs && audioEndMs <= sentMs));
      }
    }),
  );
});

test('the heard part of a text ends after a word and in an ellipsis', () => {
  assert.equal(heardPart('We are open from nine to five.', 0.5), 'We are open…');
  assert.equal(heardPart('Unteilbar', 0.5), 'Untei…');
  assert.equal(heardPart('Hello there.', 1), 'Hello there.…');
  assert.equal(heardPart('Hello there.', 0), '…');
});

test('the agent asks twice, and hangs up when the other side was not heard for long', () => {
  const patience = createPatience({ reminderTriggerMs: 10_000, silenceTimeoutMs: 40_000 }, 0);
  const due: string[] = [];
  for (let nowMs = 0; nowMs <= 45_000; nowMs += 250) {
    const found = patience.look(nowMs, nowMs < 2000 ? 2000 : nowMs);
    if (found !== 'nothing') due.push(`${found} at ${nowMs}`);
    if (found === 'hang-up') break;
  }
  assert.deepEqual(due, ['remind at 12000', 'remind at 22000', 'hang-up at 40000']);
});

test('who speaks, and who is on hold, is not reminded', () => {
  const patience = createPatience({ reminderTriggerMs: 1000, silenceTimeoutMs: 3000 }, 0);
  patience.userSpeaks();
  assert.equal(patience.look(5000, 0), 'nothing');
  patience.userSpoke(5000);
  patience.held(true, 5500);
  assert.equal(patience.look(60_000, 0), 'nothing');
  patience.held(false, 60_000);
  assert.equal(patience.look(60_400, 0), 'nothing');
  assert.equal(patience.look(60_500, 0), 'remind');
  assert.equal(patience.look(62_500, 70_000), 'nothing', 'the agent speaks');
  assert.equal(patience.look(70_000, 0), 'hang-up');
});

test('one answer at a time: others wait, and one that is refused as too early is asked for again', () => {
  const asked: string[] = [];
  const responses = createResponses(({ instructions = 'bare' }: ResponseRequest, id) =>
    asked.push(`${id} ${instructions}`),
  );
  responses.request({ instructions: 'one' });
  responses.request({ instructions: 'two' });
  responses.request({});
  responses.request({});
  assert.deepEqual(asked, ['response-1 one']);
  responses.created();
  assert.equal(responses.done()?.instructions, 'one');
  assert.deepEqual(asked.at(-1), 'response-2 two');
  responses.created(); // the service's own
  assert.equal(responses.refused('response-2', true), true);
  assert.equal(responses.done(), undefined);
  assert.deepEqual(asked.at(-1), 'response-3 two');
  responses.created();
  responses.done();
  assert.deepEqual(asked, ['response-1 one', 'response-2 two', 'response-3 two', 'response-4 bare']);
  assert.equal(responses.refused('response-4', false), true);
  assert.equal(responses.isActive(), false);
});

test('keys are told at # or two seconds after the last', () => {
  const typed: string[] = [];
  let ring: () => void = () => undefined;
  const keypad = createKeypad(
    (keys) => typed.push(keys),
    (ms, callback) => {
      assert.equal(ms, 2000);
      ring = callback;
      return () => (ring = () => undefined);
    },
  );
  for (const digit of '12#') keypad.press(digit);
  keypad.press('4');
  keypad.press('5');
  assert.deepEqual(typed, ['12#']);
  ring();
  assert.deepEqual(typed, ['12#', '45']);
});

test('the arguments of tools that need nothing but the call are checked', () => {
  const sent: string[] = [];
  const line = { sendKeys: (digits: string) => sent.push(digits) > 0 };
  const use = (name: string, args: string, detectsVoicemail = true) =>
    useOwnTool({ detectsVoicemail }, { name, args }, line)?.fault;
  assert.equal(use('send_dtmf', '{"digits":"1a#"}'), null);
  assert.deepEqual(sent, ['1A#']);
  for (const args of ['', '{}', '{"digits":""}', '{"digits":5}', `{"digits":"${'1'.repeat(33)}"}`, '{"digits":"x"}'])
    assert.equal(typeof use('send_dtmf', args), 'string', args);
  for (const args of ['', ' ', '{}', '{"reason":"done"}']) assert.equal(use('end_call', args), null, args);
  for (const args of ['null', '[]', '5', 'now', '{"reason":5}', `{"reason":"${'x'.repeat(501)}"}`, '{"__proto__":""}'])
    assert.equal(typeof use('end_call', args), 'string', args);
  assert.equal(use('report_voicemail', '{}'), null);
  assert.equal(use('report_voicemail', '{"why":"beep"}'), 'there is no argument why');
  assert.equal(use('report_voicemail', '{}', false), 'there is no tool report_voicemail');
  assert.equal(use('search_knowledge', '{}'), undefined);
});

test('the first answer has the first message, and for who may be a machine the wish for report_voicemail', () => {
  const opening = (firstMessage: string | null, isUnclear: boolean, recordingNotice: string | null = null) =>
    openingInstructions({ firstMessage, recordingNotice }, isUnclear);
  assert.equal(opening(null, false), undefined);
  assert.match(opening('Hello.', false)!, /Hello\.$/);
  assert.match(opening('Hello.', true)!, /report_voicemail[^]*Hello\.$/);
  assert.match(opening(null, true)!, /report_voicemail/);
  assert.match(opening('Hello.', false, 'This call is recorded.')!, /\nThis call is recorded\. Hello\.$/);
  assert.match(opening(null, false, 'This call is recorded.')!, /This call is recorded\.\nThen greet/);
});
