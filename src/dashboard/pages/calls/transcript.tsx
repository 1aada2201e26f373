import { useSignal } from '@preact/signals';
import type { Call } from '../../client.ts';
import type { Player } from '../../state/player.ts';
import { calls } from '../../text/calls.ts';
import { clock } from '../../text/plural.ts';

/** What was said. Each turn is a button that jumps there in the recording; the present one is marked as the sound goes on. */
export function Transcript({ call: { transcripts, state }, player }: { call: Call; player: Player }) {
  const chosen = useSignal<string | undefined>(undefined);
  const heard = player.isPlaying.value
    ? transcripts.findLast(({ timestamp_ms: at }) => at / 1000 <= player.at.value)?.id
    : undefined;
  const current = heard ?? chosen.value;
  return (
    <section>
      <h2 id="transcript">{calls.transcript}</h2>
      {transcripts.length === 0 && (
        <p class="quiet">{state === 'ended' ? calls.noTranscript : calls.transcriptLater}</p>
      )}
      <ol class="transcript" aria-labelledby="transcript">
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
          </li>
        ))}
      </ol>
    </section>
  );
}
