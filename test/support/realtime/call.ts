import type { TestContext } from 'node:test';
import { nextMacrotask, pause } from '../../../src/base/clock.ts';
import { type Codec, silenceByte } from '../../../src/telephony/audio/g711.ts';
import type { HangUp, SpeechSession } from '../../../src/telephony/audio/speech.ts';
import { tone } from '../../../src/telephony/audio/tone.ts';
import { playQueue } from '../../../src/telephony/media/play-queue.ts';
import { defaultsOf } from '../../../src/base/config/settings.ts';
import type { AgentInCall, Said, SpeechReport, ToolCall } from '../../../src/talking/speech/engine.ts';
import { speechMetrics } from '../../../src/talking/speech/metrics.ts';
import { createRealtimeEngine } from '../../../src/talking/speech/realtime/engine.ts';
import type { RealtimeTimes } from '../../../src/talking/speech/realtime/session.ts';
import { type SpeechSettings, speechSettings } from '../../../src/talking/speech/settings.ts';
import { anAgentInCall } from '../talking.ts';

export type CallOptions = {
  url: string;
  codec?: Codec;
  agent?: Partial<AgentInCall>;
  realtime?: Partial<SpeechSettings['realtime']>;
  settings?: Partial<SpeechSettings>;
  times?: Partial<RealtimeTimes>;
  tool?: (use: ToolCall) => Promise<string>;
  transfer?: (to: string) => Promise<string | null>;
};

/** A call without a telephone: a line that sends 20 ms every 20 ms, and a caller who speaks a tone when told to. */
export function startCall(t: TestContext, options: CallOptions) {
  const { codec = 'PCMU' } = options;
  const defaults = defaultsOf(speechSettings) as SpeechSettings;
  const settings: SpeechSettings = {
    ...defaults,
    engine: 'realtime',
    ...options.settings,
    realtime: { ...defaults.realtime, url: options.url, ...options.realtime },
  };
  const metrics = speechMetrics();
  const reports: SpeechReport[] = [];
  const hangUps: HangUp[] = [];
  const transfers: string[] = [];
  const keys: string[] = [];
  let machineReports = 0;
  const queue = playQueue(silenceByte[codec]);
  const session: SpeechSession = createRealtimeEngine(settings, metrics, options.times).open(
    anAgentInCall({ engine: 'realtime', model: 'gpt-realtime', voice: 'marin', ...options.agent }),
    {
      report: (report) => void reports.push(report),
      tool: options.tool ?? (() => Promise.resolve('{}')),
      log: () => undefined,
      machineSpeaks: () => void (machineReports += 1),
    },
  );
  let pendingHangUp: HangUp | undefined;
  const sent: Uint8Array[] = [];
  const speech = tone(codec, 400, 20);
  const silence = new Uint8Array(160).fill(silenceByte[codec]);
  let speakUntil = 0;
  let timer: NodeJS.Timeout | undefined;
  let [startedMs, ticks, isEnded] = [0, 0, false];

  function tick(): void {
    const frame = queue.take();
    sent.push(frame ?? silence);
    for (const item of queue.begun()) session.sending(item);
    if (pendingHangUp && queue.queuedBytes() === 0) {
      hangUps.push(pendingHangUp);
      pendingHangUp = undefined;
    }
    session.hear(performance.now() < speakUntil ? speech : silence, Math.max(0, performance.now() - startedMs - 20));
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
    sent,
    queue,
    end,
    machineReports: () => machineReports,
    answer(opening: 'person' | 'unclear' | null = 'person'): void {
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
      if (opening !== null) session.begin(opening);
    },
    speak: (ms: number): void => void (speakUntil = performance.now() + ms),
    /** Entries of the transcript as they are now. */
    transcript(): Said[] {
      const byId = new Map<string, Said>();
      for (const report of reports) if (report.type === 'said') byId.set(report.said.id, report.said);
      return [...byId.values()].toSorted((a, b) => a.atMs - b.atMs);
    },
    async until(isReached: () => boolean): Promise<void> {
      while (!isReached()) {
        await pause(5);
        await nextMacrotask();
      }
    },
  };
}
