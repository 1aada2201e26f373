import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Call, CallTurn } from '../../client.ts';
import type { Player } from './player.ts';
import { calls } from '../../text/calls.ts';
import { clock } from '../../text/plural.ts';

type Props = { call: Call; turns: readonly CallTurn[]; player: Player };

/** Milliseconds, tools and passages of a reply, as far as the engine says them. */
function TurnFacts({ turn }: { turn: CallTurn | undefined }) {
  if (!turn) return null;
  const { latency, tools, passages, interrupted } = turn;
  if (!latency && !tools?.length && !passages?.length && interrupted !== true) return null;
  return (
    <div class="turn-facts">
      {latency && <span>{calls.milliseconds(latency.total_ms)}</span>}
      {passages?.map((passage) => (
        <span key={passage} class="chip" dir="auto">
          {passage}
        </span>
      ))}
      {tools?.map(({ name, duration_ms: ms, failed }, index) => (
        <span key={`${name} ${index}`} class={failed ? 'chip bad' : 'chip'}>
          {calls.tool(name, ms)}
        </span>
      ))}
      {interrupted === true && <span>{calls.interrupted}</span>}
    </div>
  );
}

/** What was said. Each turn is a button that jumps there in the recording; the present one is marked as the sound goes on. */
export function Transcript({ call: { transcripts, state }, turns, player }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const chosen = useSignal<string | undefined>(undefined);
  const heard = player.isPlaying.value
    ? transcripts.findLast(({ timestamp_ms: at }) => at / 1000 <= player.at.value)?.id
    : undefined;
  const current = heard ?? chosen.value;
  const said = transcripts.length;
  const isLive = state !== 'ended';
  useEffect(() => {
    if (heard !== undefined) list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [heard]);
  useEffect(() => {
    if (isLive) list.current?.lastElementChild?.scrollIntoView({ block: 'nearest' });
  }, [said, isLive]);
  return (
    <section>
      <h2 id="transcript">{calls.transcript}</h2>
      {transcripts.length === 0 && (
        <p class="quiet">{state === 'ended' ? calls.noTranscript : calls.transcriptLater}</p>
      )}
      <ol class="transcript" aria-labelledby="transcript" ref={list}>
        {transcripts.map(({ id, timestamp_ms: at, role, message }) => (
          <li key={id} class={role} aria-current={current === id ? 'true' : undefined}>
            <span class="quiet">
              {calls.roles[role]} {clock(at / 1000)}
            </span>
            <button
              type="button"
              dir="auto"
              onClick={() => {
                chosen.value = id;
                player.jump(at / 1000);
              }}
            >
              {message.content}
            </button>
            <p class="print-only" dir="auto">
              {message.content}
            </p>
            <TurnFacts turn={turns.find((turn) => turn.role === role && turn.from_ms === at)} />
          </li>
        ))}
      </ol>
    </section>
  );
}
