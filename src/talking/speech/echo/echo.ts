import type { Line, SpokenFacts } from '../../../telephony/audio/speech.ts';
import { monotonicMs } from '../../../base/clock.ts';
import { tone } from '../../../telephony/audio/tone.ts';
import type { SpeechEngine } from '../engine.ts';
import { greeting } from './greeting.ts';

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
  open(_agent, events) {
    let line: Line | undefined;
    /** Queued milliseconds that are not an echo: nothing is said back before they are sent. */
    let ownMs = Infinity;
    let collected: Uint8Array[] = [];

    const isSpeaking = (to: Line): boolean => {
      ownMs = Math.min(ownMs, to.queuedMs());
      return ownMs > 0;
    };

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

    let typed = 0;
    const answeredAt = monotonicMs();

    return {
      /** What is typed comes back as text and as a tone. */
      typed(text) {
        for (const role of ['user', 'agent'] as const) {
          typed += 1;
          const said = { id: `typed-${typed}`, role, text, format: 'text' as const, atMs: monotonicMs() - answeredAt };
          events.report({ type: 'said', said });
        }
        this.say(text);
      },
      answered: (answered) => void (line = answered),
      begin: () => sayOwn(greeting[line!.codec], 'greeting'),
      hear(audio) {
        if (line && ownMs < Infinity && !isSpeaking(line)) echo(line, audio);
      },
      key: () => undefined,
      held: () => undefined,
      sending: () => undefined,
      say(text) {
        if (!line) return false;
        collected = [];
        const ms = Math.min(maxToneMs, Math.max(minToneMs, text.length * msPerCharacter));
        sayOwn(tone(line.codec, toneHz, ms), 'said');
        return true;
      },
      facts: () => facts,
      end() {
        collected = [];
        return facts;
      },
    };
  },
};
