import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { api, type Call, type CallTurn, getCallEnvelope, isNotFound } from '../../client.ts';
import { useResource } from '../../state/resource.ts';
import type { Player } from './player.ts';
import { calls } from '../../text/calls.ts';
import { clock } from '../../text/plural.ts';
import { Marks, marksOf, VoicesLegend } from './marks.tsx';

/** The address of a recording that this server keeps; undefined where it lies elsewhere. */
export function ownRecording({ call_id: id, recording_url: url }: Call): string | undefined {
  const path = `/api/v1/calls/${id}/recording`;
  return url !== null && new URL(url, location.href).pathname === path ? path : undefined;
}

const points = 400;
const loudest = 255;
/** Quieter than this on both sides counts as silence. */
const silence = 8;
const speeds = [1, 1.5, 2] as const;

type Envelope = { duration_ms: number; person: number[]; agent: number[] };

async function loadEnvelope(id: string, signal: AbortSignal): Promise<Envelope | null> {
  try {
    return (await getCallEnvelope(api, { params: { id }, query: { points }, signal })).data;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Both voices over time as one picture, and what plays them. */
export function Recording({ call, turns, player }: { call: Call; turns: readonly CallTurn[]; player: Player }) {
  const envelope = useResource(call.call_id, (signal) => loadEnvelope(call.call_id, signal));
  const id = useId();
  const skips = useSignal(false);
  const length = (envelope.data?.duration_ms ?? call.duration_sec * 1000) / 1000;
  useSkippedSilence(skips.value ? (envelope.data ?? undefined) : undefined, player);
  return (
    <section aria-label={calls.recording}>
      <h2 class="visually-hidden">{calls.recording}</h2>
      <div class="actions">
        <button type="button" class="primary" onClick={player.toggle}>
          {player.isPlaying.value ? calls.pause : calls.play}
        </button>
        <span>
          {clock(player.at.value)} <span class="quiet">{calls.of(clock(length))}</span>
        </span>
        <label for={`${id}-speed`}>{calls.speed}</label>
        <select
          id={`${id}-speed`}
          class="short"
          onChange={(event) => player.setSpeed(Number(event.currentTarget.value))}
        >
          {speeds.map((speed) => (
            <option key={speed} value={speed}>
              {calls.times(speed)}
            </option>
          ))}
        </select>
        <label class="radio">
          <input
            type="checkbox"
            checked={skips.value}
            onChange={(event) => void (skips.value = event.currentTarget.checked)}
          />
          {calls.skipSilence}
        </label>
        <a class="button" href={`/api/v1/calls/${call.call_id}/recording`} download>
          {calls.download}
        </a>
      </div>
      {player.problem.value && <p class="notice bad">{calls.notPlayed}</p>}
      {envelope.data && <Voices envelope={envelope.data} length={length} turns={turns} player={player} />}
    </section>
  );
}

type VoicesProps = { envelope: Envelope; length: number; turns: readonly CallTurn[]; player: Player };

/** The agent above the line, the person below; a click or the arrow keys jump. */
function Voices({ envelope: { agent, person }, length, turns, player }: VoicesProps) {
  const marks = marksOf(turns);
  const x = (index: number): number => ((index + 0.5) / agent.length) * 100;
  const above = agent.map((value, index) => `M${x(index)} 50V${50 - (value / loudest) * 48}`).join('');
  const below = person.map((value, index) => `M${x(index)} 50V${50 + (value / loudest) * 48}`).join('');
  const jump = (event: MouseEvent): void => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    player.jump(((event.clientX - box.left) / box.width) * length);
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 5, ArrowLeft: -5 }[event.key];
    const to = { Home: 0, End: length }[event.key] ?? (step === undefined ? undefined : player.at.value + step);
    if (to === undefined) return;
    event.preventDefault();
    player.jump(Math.min(length, Math.max(0, to)));
  };
  const now = (player.at.value / Math.max(length, 0.001)) * 100;
  return (
    <>
      <div
        class="voices"
        role="slider"
        tabIndex={0}
        aria-label={calls.position}
        aria-valuemin={0}
        aria-valuemax={Math.round(length)}
        aria-valuenow={Math.round(player.at.value)}
        aria-valuetext={`${clock(player.at.value)} ${calls.of(clock(length))}`}
        onClick={jump}
        onKeyDown={onKey}
      >
        <svg class="plot" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <Marks marks={marks} length={length} />
          <path class="voice-agent" d={above} />
          <path class="voice-person" d={below} />
          <path class="cross" d={`M${now} 0V100`} />
        </svg>
      </div>
      <VoicesLegend marks={marks} />
    </>
  );
}

/** Jumps over where nobody speaks, while it plays. */
function useSkippedSilence(envelope: Envelope | undefined, player: Player): void {
  const at = player.at.value;
  useEffect(() => {
    if (!envelope || !player.isPlaying.value) return;
    const perSecond = envelope.agent.length / (envelope.duration_ms / 1000);
    const isQuiet = (index: number): boolean =>
      (envelope.agent[index] ?? 0) < silence && (envelope.person[index] ?? 0) < silence;
    let index = Math.floor(at * perSecond);
    if (!isQuiet(index)) return;
    while (index < envelope.agent.length && isQuiet(index)) index++;
    if (index / perSecond > at + 0.5 && index < envelope.agent.length) player.jump(index / perSecond);
  }, [at, envelope]);
}
