import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ConversationTurn } from '../../client.ts';
import { ActionProblem } from '../../parts/page.tsx';
import { clock } from '../../text/plural.ts';
import { talking } from '../../text/talking.ts';
import type { TextTalk as Talk } from './use-text-talk.ts';

/** Typing with the agent as its fields are, saved or not. `settings`: those that are not saved, as text. */
export function TextTalk({ talk, settings }: { talk: Talk; settings: string }) {
  const isOther = talk.spokenWith.value !== undefined && talk.spokenWith.value !== settings;
  return (
    <>
      <p class="quiet">{talk.engine.value === 'simulated' ? talking.simulated : talking.textHint}</p>
      <Turns talk={talk} />
      {isOther && <p class="hint">{talking.changed}</p>}
      {talk.isOver.value && <p class="quiet">{talking.agentEnded}</p>}
      <ActionProblem of={talk.action} />
      <Say talk={talk} />
    </>
  );
}

/** The newest turn stays in view. */
function Turns({ talk: { turns, asked } }: { talk: Talk }) {
  const list = useRef<HTMLOListElement>(null);
  const shown = turns.value.length + (asked.value === undefined ? 0 : 1);
  useEffect(() => list.current?.scrollTo({ top: list.current.scrollHeight }), [shown]);
  if (shown === 0) return null;
  return (
    <ol class="transcript talk" ref={list} tabIndex={0} aria-label={talking.conversation}>
      {turns.value.map((turn, index) => (
        <Turn key={index} turn={turn} />
      ))}
      {asked.value !== undefined && (
        <li class="user" aria-busy="true">
          <span class="quiet">{talking.roles.user}</span>
          <p dir="auto">{asked.value}</p>
        </li>
      )}
    </ol>
  );
}

function Turn({ turn: { role, text, at_ms: at, total_ms: total, first_token_ms: first, passages, tools } }: TurnProps) {
  return (
    <li class={role}>
      <span class="quiet">
        {talking.roles[role]} {clock(at / 1000)}
      </span>
      <p dir="auto">{text}</p>
      {role === 'agent' && (
        <div class="turn-facts">
          {total !== null && <span>{talking.took(total, first)}</span>}
          {passages.map(({ doc_id: id, page, source_name: name, score, text: passage }) => (
            <span key={`${id} ${page} ${score}`} class="chip" title={passage} dir="auto">
              {talking.passage(name, page, score)}
            </span>
          ))}
          {tools.map(({ name, duration_ms: ms, failed, tried }, index) => (
            <span key={`${name} ${index}`} class={failed ? 'chip bad' : 'chip'}>
              {talking.toolTook(name, ms, failed, tried)}
            </span>
          ))}
        </div>
      )}
    </li>
  );
}

type TurnProps = { turn: ConversationTurn };

function Say({ talk }: { talk: Talk }) {
  const text = useSignal('');
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    const typed = text.value.trim();
    if (typed === '' || talk.isOver.value || talk.action.busy) return;
    text.value = '';
    // A text that could not be sent goes back into the field.
    if (!(await talk.say(typed)) && text.value === '') text.value = typed;
  };
  return (
    <form noValidate onSubmit={(event) => void send(event)}>
      <div class="joined">
        <input
          aria-label={talking.saySomething}
          placeholder={talking.saySomething}
          dir="auto"
          maxLength={1000}
          value={text.value}
          onFocus={() => void talk.begin()}
          onInput={(event) => void (text.value = event.currentTarget.value)}
        />
        <button type="submit" class="primary" aria-disabled={talk.action.busy || talk.isOver.value}>
          {talking.send}
        </button>
        {talk.spokenWith.value !== undefined && (
          <button type="button" aria-disabled={talk.action.busy} onClick={() => void talk.startOver()}>
            {talking.startOver}
          </button>
        )}
      </div>
    </form>
  );
}
