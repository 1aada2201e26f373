import type { TestContext } from 'node:test';
import { defaultsOf } from '../../../src/base/config/settings.ts';
import { pause } from '../../../src/base/clock.ts';
import { type Codec, encode, silenceByte } from '../../../src/telephony/audio/g711.ts';
import type { HangUp } from '../../../src/telephony/audio/speech.ts';
import { playQueue } from '../../../src/telephony/media/play-queue.ts';
import { openAgent } from '../../../src/talking/agent.ts';
import { createCascadeEngine } from '../../../src/talking/speech/cascade/engine.ts';
import type { AgentInCall, Said, SpeechReport, ToolCall } from '../../../src/talking/speech/engine.ts';
import { speechMetrics } from '../../../src/talking/speech/metrics.ts';
import { type SpeechSettings, speechSettings } from '../../../src/talking/speech/settings.ts';
import type { Sound } from '../listening/sounds.ts';
import { anAgentInCall, voicemailSettings } from '../talking.ts';
import type { FakeService } from './service.ts';

export type CallerOptions = {
  stt: FakeService;
  llm: FakeService;
  tts: FakeService;
  codec?: Codec;
  agent?: Partial<AgentInCall>;
  settings?: (settings: SpeechSettings) => void;
  tool?: (use: ToolCall) => Promise<string>;
  transfer?: (to: string) => Promise<string | null>;
};

/** A call without a telephone: a line that sends 20 ms every 20 ms, and a caller who says sounds. */
export function startCaller(t: TestContext, options: CallerOptions) {
  const { stt, llm, tts, codec = 'PCMU' } = options;
  const settings = structuredClone(defaultsOf(speechSettings)) as SpeechSettings;
  settings.engine = 'cascade';
  settings.stt.url = stt.url;
  settings.llm.url = llm.url;
  settings.tts.url = tts.url;
  options.settings?.(settings);
  const reports: SpeechReport[] = [];
  const hangUps: HangUp[] = [];
  const transfers: string[] = [];
  const keys: string[] = [];
  const warnings: string[] = [];
  const metrics = speechMetrics();
  const session = openAgent(
    { cascade: createCascadeEngine(settings, metrics) },
    anAgentInCall({ engine: 'cascade', model: 'mind-1', voice: 'nova', ...options.agent }),
    {
      report: (report) => void reports.push(report),
      tool: options.tool ?? (() => Promise.resolve('{}')),
      log: (_level, fields, message) => void warnings.push(`${message} ${JSON.stringify(fields)}`),
    },
    voicemailSettings,
  );
  const queue = playQueue(silenceByte[codec]);
  const silence = new Uint8Array(160).fill(silenceByte[codec]);
  /** What is sent, by the time since the answer. */
  const sent: Array<Uint8Array | null> = [];
  let saying: Uint8Array = new Uint8Array();
  let pendingHangUp: HangUp | undefined;
  let timer: NodeJS.Timeout | undefined;
  let [startedMs, ticks, isEnded] = [0, 0, false];

  function tick(): void {
    sent.push(queue.take() ?? null);
    for (const item of queue.begun()) session.sending(item);
    if (pendingHangUp && queue.queuedBytes() === 0) {
      hangUps.push(pendingHangUp);
      pendingHangUp = undefined;
    }
    session.hear(saying.length >= 160 ? saying.subarray(0, 160) : silence, ticks * 20);
    saying = saying.subarray(160);
    ticks += 1;
    timer = setTimeout(tick, Math.max(0, startedMs + ticks * 20 - performance.now()));
  }

  function end(): void {
    if (isEnded) return;
    isEnded = true;
    clearTimeout(timer);
    session.end();
  }
  t.after(end);

  return {
    session,
    metrics,
    reports,
    hangUps,
    transfers,
    keys,
    warnings,
    sent,
    end,
    answer(): void {
      session.answered({
        codec,
        play: (audio, item) => queue.add(audio, item) / 8,
        clear: () => queue.clear() / 8,
        sentMs: (item) => queue.sentBytes(item) / 8,
        queuedMs: () => queue.queuedBytes() / 8,
        sendKeys: (digits) => keys.push(digits) > 0,
        hangUp(how) {
          if (how.afterPlayed === true && queue.queuedBytes() > 0) pendingHangUp = how;
          else hangUps.push(how);
        },
        transfer(to) {
          transfers.push(to);
          return options.transfer?.(to) ?? Promise.resolve('nobody there');
        },
      });
      startedMs = performance.now();
      tick();
    },
    say: (sound: Sound): void => void (saying = encode(codec, sound)),
    /** Milliseconds of the agent's sound that were sent. */
    spokenMs: (): number => sent.filter((frame) => frame !== null).length * 20,
    isQuiet: (): boolean => queue.queuedBytes() === 0,
    transcript(): Said[] {
      const byId = new Map<string, Said>();
      for (const report of reports) if (report.type === 'said') byId.set(report.said.id, report.said);
      return [...byId.values()].toSorted((a, b) => a.atMs - b.atMs);
    },
    async until(isReached: () => boolean): Promise<void> {
      while (!isReached()) {
        if (isEnded) throw new Error('the call is over');
        await pause(5);
      }
    },
  };
}
