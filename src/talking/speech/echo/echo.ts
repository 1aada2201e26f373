import type { Line, SpokenFacts } from '../../../telephony/audio/speech.ts';
import { monotonicMs } from '../../../base/clock.ts';
import { tone } from '../../../telephony/audio/tone.ts';
import type { SpeechEngine } from '../engine.ts';
import { greeting } from './greeting.ts';
import { type SilenceWatch, watchSilence } from './silence.ts';

/** How much of what is heard is collected before it is said back, so that packets that come unevenly leave no holes. */
const bufferMs = 60;
/**
 * The most audio, in milliseconds, that is heard and waits to be sent back. Without a limit, a burst or clocks of different speed would
 * delay the echo more and more.
 */
const maxEchoMs = 400;

/** The engine has no voice, so a text is sent as a tone that lasts as long as saying the text would take. */
const msPerCharacter = 60;
const [minToneMs, maxToneMs] = [300, 5000];
const toneHz = 440;

const reminder = 'Is anybody there?';

const facts: SpokenFacts = {
  engine: 'echo',
  model: null,
  sessions: 1,
  turns: 0,
  interruptions: 0,
  input_tokens: null,
  output_tokens: null,
  latencyMs: null,
};

/** `speech.engine: echo`: greets, then says back what it hears. For trying a line without a speech service. */
export const echoEngine: SpeechEngine = {
  open(agent, events) {
    let line: Line | undefined;
    let silence: SilenceWatch | undefined;
    let answeredAtMs = 0;
    /** Queued milliseconds that are not an echo: nothing is said back before they are sent. */
    let ownMs = Infinity;
    let collected: Uint8Array[] = [];

    const speakingMs = (to: Line): number => (ownMs = Math.min(ownMs, to.queuedMs()));

    function sayOwn(audio: Uint8Array, item: string): void {
      line!.play(audio, item);
      ownMs = line!.queuedMs();
    }

    function echo(to: Line, audio: Uint8Array): void {
      collected.push(audio);
      const collectedMs = collected.reduce((sum, { length }) => sum + length / 8, 0);
      if (to.queuedMs() === 0 && collectedMs < bufferMs) return;
      for (const part of collected) if (to.queuedMs() < maxEchoMs) to.play(part, 'echo');
      collected = [];
    }

    function say(text: string): boolean {
      if (!line) return false;
      collected = [];
      const ms = Math.min(maxToneMs, Math.max(minToneMs, text.length * msPerCharacter));
      sayOwn(tone(line.codec, toneHz, ms), 'said');
      return true;
    }

    let typed = 0;

    return {
      /** What is typed comes back as text and as a tone. */
      typed(text) {
        for (const role of ['user', 'agent'] as const) {
          typed += 1;
          const said = {
            id: `typed-${typed}`,
            role,
            text,
            format: 'text' as const,
            atMs: monotonicMs() - answeredAtMs,
          };
          events.report({ type: 'said', said });
        }
        silence?.userActs();
        say(text);
      },
      answered(answered) {
        line = answered;
        answeredAtMs = monotonicMs();
        silence = watchSilence(line, agent, {
          speakingMs: () => speakingMs(answered),
          remind: () => say(reminder),
        });
      },
      begin(opening) {
        if (opening === 'mailbox') {
          say(agent.voicemailMessage ?? '');
          silence!.stop();
          return line!.hangUp({ status: 'completed', errorMessage: null, afterPlayed: true });
        }
        sayOwn(greeting[line!.codec], 'greeting');
        silence!.begin();
      },
      hear(audio) {
        silence?.hear(audio);
        if (line && ownMs < Infinity && speakingMs(line) === 0) echo(line, audio);
      },
      key: () => silence?.userActs(),
      held: (isHeld) => silence?.held(isHeld),
      sending: () => undefined,
      say,
      facts: () => facts,
      end() {
        silence?.stop();
        collected = [];
        return facts;
      },
    };
  },
};
