import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ActionProblem } from '../../parts/page.tsx';
import { clock } from '../../text/plural.ts';
import { talking } from '../../text/talking.ts';
import type { Entry, VoiceCall } from './use-test-call.ts';

/** What is said between the person at this page and the agent. */
export function Conversation({ call, hasChanges }: { call: VoiceCall; hasChanges: boolean }) {
  const state = call.state.value;
  const isOpen = state === 'live' || state === 'microphone' || state === 'starting';
  return (
    <section class="conversation" aria-label={talking.conversation}>
      <h2>{talking.conversation}</h2>
      <ActionProblem of={call.action} />
      <StateLine call={call} />
      {hasChanges && isOpen && <p class="hint">{talking.unsaved}</p>}
      {state !== 'idle' && <Talk entries={call.entries.value} />}
      {isOpen ? (
        <Say call={call} />
      ) : (
        state === 'over' && (
          <div class="actions">
            <button type="button" class="primary" onClick={() => void call.start()}>
              {talking.startOver}
            </button>
            <a href={`/calls/${call.callId.value}`}>{talking.see}</a>
          </div>
        )
      )}
    </section>
  );
}

/** What goes on now, and whether one is heard. */
function StateLine({ call }: { call: VoiceCall }) {
  const texts = {
    idle: talking.hint,
    starting: talking.starting,
    microphone: talking.microphone,
    live: call.typesOnly.value ?? talking.live,
    over: call.end.value,
  };
  return <p class="quiet">{texts[call.state.value]}</p>;
}

/** The newest entry stays in view. */
function Talk({ entries }: { entries: readonly Entry[] }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => list.current?.scrollTo({ top: list.current.scrollHeight }), [entries]);
  return (
    <ol class="transcript talk" ref={list} tabIndex={0} aria-label={talking.conversation}>
      {entries.map(({ role, text, timestamp_ms: at }) => (
        <li key={`${role} ${at}`} class={role}>
          {role === 'tool' ? (
            <span class="quiet">{text}</span>
          ) : (
            <>
              <span class="quiet">
                {talking.roles[role]} {clock(at / 1000)}
              </span>
              <p dir="auto">{text}</p>
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

function Say({ call }: { call: VoiceCall }) {
  const text = useSignal('');
  const isLive = call.state.value === 'live';
  const send = (event: Event): void => {
    event.preventDefault();
    const typed = text.value.trim();
    if (typed === '' || !isLive) return;
    call.type(typed);
    text.value = '';
  };
  return (
    <form class="joined" noValidate onSubmit={send}>
      <input
        aria-label={talking.saySomething}
        dir="auto"
        maxLength={1000}
        value={text.value}
        onInput={(event) => void (text.value = event.currentTarget.value)}
      />
      <button type="submit" disabled={!isLive}>
        {talking.send}
      </button>
      <button type="button" class="danger" disabled={!isLive} onClick={() => call.hangUp()}>
        {talking.hangUp}
      </button>
    </form>
  );
}
