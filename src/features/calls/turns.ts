import type { App } from '../../kernel/app.ts';
import type { Call, TranscriptEntry } from './call.ts';
import { timelineOf, type TimelineEntry } from './timeline.ts';
import { transcriptNow } from './watching.ts';

/** A stretch of a call in which one side spoke. What the engine does not say is null. */
export type CallTurn = {
  role: TranscriptEntry['role'];
  text: string;
  fromMs: number;
  toMs: number | null;
  interrupted: boolean | null;
  /** Only for answers of the agent. */
  latency: Latency | null;
  tools: Array<{ name: string; durationMs: number | null; failed: boolean }> | null;
};

export type Latency = {
  hearingMs: number | null;
  thinkingMs: number | null;
  toolsMs: number | null;
  voiceMs: number | null;
  totalMs: number;
};

const isSimulated = ({ driver }: Call): boolean => driver === 'simulated';

/** How a simulated call shares the time to an answer; its whole is the call's `call_latency_ms`. */
const shares = { hearing: 0.25, thinking: 0.5 };

function simulatedLatency(totalMs: number): Latency {
  const [hearingMs, thinkingMs] = [Math.round(totalMs * shares.hearing), Math.round(totalMs * shares.thinking)];
  return { hearingMs, thinkingMs, toolsMs: 0, voiceMs: totalMs - hearingMs - thinkingMs, totalMs };
}

/** `find_slots, 120 ms, failed: …` */
function toolIn(detail: string | null) {
  const [, name = detail ?? '', ms, failed] = /^(.*?), (\d+) ms(, failed: .*)?$/.exec(detail ?? '') ?? [];
  return { name, durationMs: ms === undefined ? null : Number(ms), failed: failed !== undefined };
}

/** The turns of a call until now, with the tools that ran before each answer of the agent. */
export async function turnsOf(app: App, call: Call): Promise<CallTurn[]> {
  const said = (await transcriptNow(app, call)).filter(({ message }) => message.format === 'text');
  const timeline = await timelineOf(app.db, call.id);
  return said.map((entry, index) => turnOf(call, entry, { before: said[index - 1], after: said[index + 1], timeline }));
}

type Around = {
  before: TranscriptEntry | undefined;
  after: TranscriptEntry | undefined;
  timeline: readonly TimelineEntry[];
};

function turnOf(call: Call, entry: TranscriptEntry, { before, after, timeline }: Around): CallTurn {
  const { role, timestamp_ms: fromMs } = entry;
  const answeredAt = call.answeredAt ?? call.createdAt;
  const during = (type: TimelineEntry['type'], from: number, to: number): TimelineEntry[] =>
    timeline.filter((event) => event.type === type && event.at - answeredAt >= from && event.at - answeredAt < to);
  const untilMs = after?.timestamp_ms ?? Number.POSITIVE_INFINITY;
  const [interruption] = role === 'agent' ? during('interrupted', fromMs, untilMs) : [];
  const tools =
    role === 'agent' ? during('tool', before?.timestamp_ms ?? 0, fromMs).map(({ detail }) => toolIn(detail)) : [];
  const isAnswer = role === 'agent' && before?.role === 'user';
  const endMs = call.endedAt === null ? null : call.endedAt - answeredAt;
  return {
    role,
    text: entry.message.content,
    fromMs,
    toMs: interruption ? interruption.at - answeredAt : isSimulated(call) ? (after?.timestamp_ms ?? endMs) : null,
    interrupted: timeline.length > 0 || isSimulated(call) ? interruption !== undefined : null,
    latency: isAnswer && isSimulated(call) && call.callLatencyMs !== null ? simulatedLatency(call.callLatencyMs) : null,
    tools: timeline.length > 0 || isSimulated(call) ? tools : null,
  };
}
