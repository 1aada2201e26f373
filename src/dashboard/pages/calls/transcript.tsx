import { useSignal } from '@preact/signals';
import type { Call } from '../../client.ts';
import { calls } from '../../text/calls.ts';
import { clock } from '../../text/plural.ts';

/** What was said. Each turn is a button, which marks it as the present one. */
export function Transcript({ call: { transcripts, state } }: { call: Call }) {
  const chosen = useSignal<string | undefined>(undefined);
  return (
    <section>
      <h2 id="transcript">{calls.transcript}</h2>
      {transcripts.length === 0 && (
        <p class="quiet">{state === 'ended' ? calls.noTranscript : calls.transcriptLater}</p>
      )}
      <ol class="transcript" aria-labelledby="transcript">
        {transcripts.map(({ id, timestamp_ms: at, role, message }) => (
          <li key={id} class={role} aria-current={chosen.value === id ? 'true' : undefined}>
            <span class="quiet">
              {calls.roles[role]} {clock(at / 1000)}
            </span>
            <button type="button" dir="auto" onClick={() => void (chosen.value = id)}>
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
