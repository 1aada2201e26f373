import type { SpeechEngine } from '../../../../../telephony/audio/engine.ts';
import { tone } from '../../../../../telephony/audio/tone.ts';
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

/** `speech.engine: echo`: greets, then says back what it hears. For trying a line without a speech service. */
export const echoEngine: SpeechEngine = {
  open(line) {
    line.play(greeting[line.codec]);
    /** Queued milliseconds that are not an echo: nothing is said back before they are sent. */
    let ownMs = line.queuedMs();
    let collected: Uint8Array[] = [];

    const isSpeaking = (): boolean => {
      ownMs = Math.min(ownMs, line.queuedMs());
      return ownMs > 0;
    };

    function echo(audio: Uint8Array): void {
      collected.push(audio);
      const collectedMs = collected.reduce((sum, { length }) => sum + length / 8, 0);
      if (line.queuedMs() === 0 && collectedMs < bufferMs) return;
      for (const part of collected) if (line.queuedMs() < maxEchoMs) line.play(part);
      collected = [];
    }

    return {
      hear(audio) {
        if (!isSpeaking()) echo(audio);
      },
      say(text) {
        collected = [];
        const ms = Math.min(maxToneMs, Math.max(minToneMs, text.length * msPerCharacter));
        line.play(tone(line.codec, toneHz, ms));
        ownMs = line.queuedMs();
        return true;
      },
      close: () => (collected = []),
    };
  },
};
