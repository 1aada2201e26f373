import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ActionProblem } from '../../parts/page.tsx';
import { clock } from '../../text/plural.ts';
import { talking } from '../../text/talking.ts';
import { Say } from './say.tsx';
import { TextTalk } from './text-talk.tsx';
import type { TextTalk as TextTalkState } from './use-text-talk.ts';
import type { Entry, VoiceCall } from './use-test-call.ts';

export type Mode = 'text' | 'voice';

export type ConversationProps = {
  mode: Signal<Mode>;
  talk: TextTalkState;
  settings: string;
  call: VoiceCall;
  hasChanges: boolean;
};

/** The conversation of the person at this page with the agent, typed or spoken. */
export function Conversation({ mode, talk, settings, call, hasChanges }: ConversationProps) {
  return (
    <section class="conversation" aria-label={talking.conversation}>
      <div class="panel-head">
        <h2>{talking.conversation}</h2>
        <div class="segments" role="group" aria-label={talking.mode}>
          {(['text', 'voice'] as const).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={mode.value === each}
              onClick={() => void (mode.value = each)}
            >
              {talking.modes[each]}
            </button>
          ))}
        </div>
      </div>
      {call.isMute.value && <p class="notice">{talking.mute}</p>}
      {mode.value === 'text' ? (
        <TextTalk talk={talk} settings={settings} />
      ) : (
        <VoiceTalk call={call} hasChanges={hasChanges} />
      )}
    </section>
  );
}

function VoiceTalk({ call, hasChanges }: { call: VoiceCall; hasChanges: boolean }) {
  const state = call.state.value;
  const isOpen = state === 'live' || state === 'microphone' || state === 'starting';
  return (
    <>
      <ActionProblem of={call.action} />
      <StateLine call={call} />
      {hasChanges && isOpen && <p class="hint">{talking.unsaved}</p>}
      {state !== 'idle' && <Talk entries={call.entries.value} />}
      {isOpen ? (
        <Say isOpen={state === 'live'} say={(typed) => Promise.resolve(call.type(typed))}>
          <button type="button" class="danger" disabled={state !== 'live'} onClick={() => call.hangUp()}>
            {talking.hangUp}
          </button>
        </Say>
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
    </>
  );
}

/** The state of the test call, and whether the microphone is heard. */
function StateLine({ call }: { call: VoiceCall }) {
  const texts = {
    idle: talking.hint,
    starting: talking.starting,
    microphone: talking.microphone,
    live: call.typesOnly.value ?? (call.isMuted.value ? talking.muted : talking.live),
    over: call.end.value,
  };
  const hasMicrophone = call.state.value === 'live' && call.typesOnly.value === undefined;
  return (
    <>
      <p class="quiet" role="status">
        {texts[call.state.value]}
      </p>
      {hasMicrophone && (
        <div class="actions">
          <button type="button" aria-pressed={call.isMuted.value} onClick={() => call.toggleMute()}>
            {talking.muteMicrophone}
          </button>
        </div>
      )}
    </>
  );
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
