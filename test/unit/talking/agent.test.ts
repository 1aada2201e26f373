import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAgent } from '../../../src/talking/agent.ts';
import type { EngineEvents, SpeechReport } from '../../../src/talking/speech/engine.ts';
import { encode } from '../../../src/telephony/audio/g711.ts';
import type { Line, SpeechSession } from '../../../src/telephony/audio/speech.ts';
import { silence, sine, type Sound, voiceLike } from '../../support/listening/sounds.ts';
import { anAgentInCall, noSpeechEvents, voicemailSettings } from '../../support/talking.ts';

const aMessage = 'Please call us back.';

/** An answered call whose engine notes what it is told, with a clock that the test moves. */
function answered(changes: Parameters<typeof anAgentInCall>[0] = {}) {
  const said: string[] = [];
  const reports: SpeechReport[] = [];
  let [nowMs, heardMs] = [0, 0];
  const timers = new Set<{ atMs: number; callback: () => void }>();
  let engine: EngineEvents | undefined;
  const facts = { ...noFacts };
  const note = (what: string): void => void said.push(`${what} at ${nowMs}`);

  const session: SpeechSession = openAgent(
    {
      realtime: {
        open(_agent, events) {
          engine = events;
          return {
            answered: (line) => void (own.line = line),
            begin: (opening) => note(`begin ${opening}`),
            hear: () => undefined,
            key: () => undefined,
            typed: () => undefined,
            held: () => undefined,
            sending: () => undefined,
            say(text) {
              note(`say ${text}`);
              return true;
            },
            facts: () => facts,
            end: () => facts,
          };
        },
      },
    },
    anAgentInCall({ engine: 'realtime', detectsVoicemail: true, ...changes }),
    { ...noSpeechEvents, report: (report) => void reports.push(report) },
    voicemailSettings,
    {
      nowMs: () => nowMs,
      after(ms, callback) {
        const timer = { atMs: nowMs + ms, callback };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    },
  );
  const line: Line = {
    codec: 'PCMU',
    play: (audio) => audio.length / 8,
    clear: () => 0,
    sentMs: () => 0,
    queuedMs: () => 0,
    sendKeys: () => true,
    hangUp: () => note('hang up'),
    transfer: () => Promise.resolve(null),
  };

  function pass(ms: number): void {
    nowMs += ms;
    for (const timer of [...timers].filter(({ atMs }) => atMs <= nowMs)) {
      timers.delete(timer);
      timer.callback();
    }
  }

  const own = {
    said,
    session,
    line: undefined as Line | undefined,
    verdicts: () => reports.flatMap((report) => (report.type === 'verdict' ? [report.verdict] : [])),
    machineSpeaks: () => engine!.machineSpeaks(),
    /** Time in which no sound comes. */
    pass(ms: number) {
      for (let left = ms; left > 0; left -= 20) pass(20);
    },
    hear(...sounds: readonly Sound[]) {
      heardMs = Math.max(heardMs, nowMs);
      for (const sound of sounds)
        for (let at = 0; at + 160 <= sound.length; at += 160) {
          session.hear(encode('PCMU', sound.subarray(at, at + 160)), heardMs);
          heardMs += 20;
          pass(20);
        }
    },
    play: () => own.line!.play(new Uint8Array(160), 'answer'),
    timers,
  };
  session.answered(line);
  return own;
}

const noFacts = {
  engine: 'realtime' as const,
  model: null,
  sessions: 1,
  turns: 0,
  interruptions: 0,
  input_tokens: null,
  output_tokens: null,
  latencyMs: null,
};

test('without voicemail detection the agent begins at the answer', () => {
  const { said, verdicts } = answered({ detectsVoicemail: false });
  assert.deepEqual([said, verdicts()], [['begin person at 0'], []]);
});

test('with it, nothing is said before the verdict, not even by an engine that speaks by itself', () => {
  const { hear, said, play, verdicts } = answered();
  hear(silence(200), voiceLike(600));
  assert.deepEqual([said, play()], [[], 0]);
  hear(silence(1000));
  assert.equal(said.length, 1);
  assert.match(said[0]!, /^begin person at 1[45]\d\d$/);
  assert.deepEqual([verdicts(), play()], [['person'], 20]);
});

test('a text that is to be said waits for the verdict, and a machine does not get it', () => {
  const person = answered();
  assert.equal(person.session.say('One moment.'), true);
  person.hear(voiceLike(600), silence(1000));
  assert.match(person.said.join(), /^begin person at \d+,say One moment\. at \d+$/);
  const machine = answered({ voicemailMessage: aMessage });
  machine.session.say('One moment.');
  machine.hear(sine(1000, 400));
  assert.equal(machine.session.say('Another.'), false);
  machine.hear(silence(3000));
  assert.deepEqual(
    machine.said.map((line) => line.replace(/ at \d+$/, '')),
    ['begin mailbox'],
  );
});

test('a callee whose telephone sends nothing is a person who waits', () => {
  const { pass, said } = answered();
  pass(2600);
  assert.deepEqual(said, []);
  pass(400);
  assert.match(said[0]!, /^begin person at 2[78]/);
});

test('a greeting of middle length leaves the verdict to the model', () => {
  const { hear, said, verdicts } = answered();
  hear(voiceLike(3500), silence(1000));
  assert.match(said[0]!, /^begin unclear/);
  assert.deepEqual(verdicts(), ['unclear']);
});

test('without a message the call ends at the tone', () => {
  const { hear, said, verdicts, session } = answered({ voicemailMessage: null });
  hear(voiceLike(1500), silence(300), sine(1000, 400), silence(3000));
  assert.equal(said.length, 1);
  assert.match(said[0]!, /^hang up at 19\d\d/);
  assert.deepEqual(verdicts(), ['machine']);
  session.end();
});

test('the message begins when the tone is over', () => {
  const { hear, said, verdicts } = answered({ voicemailMessage: aMessage });
  hear(voiceLike(1500), silence(300), sine(1000, 400), silence(3000));
  assert.equal(said.length, 1);
  assert.match(said[0]!, /^begin mailbox at 22\d\d/);
  assert.deepEqual(verdicts(), ['machine']);
});

test('a long announcement without a tone gets the message after 2 s of silence', () => {
  const { hear, said } = answered({ voicemailMessage: aMessage });
  hear(voiceLike(9000), silence(1500));
  assert.deepEqual(said, []);
  hear(silence(1000));
  assert.match(said[0]!, /^begin mailbox at 1[01]/);
});

test('a tone before the agent has spoken turns a person into a machine, and the agent falls silent', () => {
  const { hear, said, verdicts, play } = answered({ voicemailMessage: aMessage });
  hear(voiceLike(1000), silence(900));
  assert.match(said[0]!, /^begin person/);
  assert.equal(play(), 20);
  hear(sine(800, 300));
  assert.equal(play(), 0);
  hear(silence(200));
  assert.match(said[1]!, /^begin mailbox/);
  assert.deepEqual([verdicts(), play()], [['person', 'machine'], 20]);
});

test('once the agent has spoken a tone is none of its business, but the model may tell a machine', () => {
  const { hear, said, verdicts, session, machineSpeaks, play } = answered({ voicemailMessage: aMessage });
  hear(voiceLike(1000), silence(900));
  session.sending('first');
  hear(sine(800, 300), silence(500));
  assert.deepEqual(verdicts(), ['person']);
  machineSpeaks();
  machineSpeaks();
  assert.deepEqual([verdicts(), play()], [['person', 'machine'], 0]);
  hear(voiceLike(1000), sine(800, 300), silence(500));
  assert.equal(said.length, 2);
  assert.match(said[1]!, /^begin mailbox/);
  assert.equal(play(), 20);
});

test('time on hold is no silence', () => {
  const { session, pass, said } = answered();
  pass(1000);
  session.held(true);
  pass(10_000);
  assert.deepEqual(said, []);
  session.held(false);
  pass(1300);
  assert.deepEqual(said, []);
  pass(1000);
  assert.match(said[0]!, /^begin person/);
});

test('a call that ends during all of that leaves no timer behind', () => {
  for (const stop of ['verdict', 'message'] as const) {
    const { hear, session, timers } = answered({ voicemailMessage: aMessage });
    hear(stop === 'verdict' ? silence(100) : sine(900, 300));
    session.end();
    assert.equal(timers.size, 0);
  }
});
