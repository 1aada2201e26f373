import { useEffect, useRef } from 'preact/hooks';
import { Turn } from '../../parts/few/conversation-turn.tsx';
import { ActionProblem } from '../../parts/page.tsx';
import { talking } from '../../text/talking.ts';
import { Say } from './say.tsx';
import type { TextTalk as Talk } from './use-text-talk.ts';

/** Typing with the agent as its fields are, saved or not. `settings`: what they say now, as text. */
export function TextTalk({ talk, settings }: { talk: Talk; settings: string }) {
  const isOther = talk.spokenWith.value !== undefined && talk.spokenWith.value !== settings;
  return (
    <>
      <p class="quiet">{talk.engine.value === 'simulated' ? talking.simulated : talking.textHint}</p>
      <Turns talk={talk} />
      {isOther && <p class="hint">{talking.changed}</p>}
      {talk.isOver.value && <p class="quiet">{talking.agentEnded}</p>}
      <ActionProblem of={talk.action} />
      <Say
        isOpen={!talk.isOver.value && talk.asked.value === undefined}
        say={(typed) => talk.say(typed)}
        begin={() => void talk.begin()}
        isMain
      >
        <button type="button" aria-disabled={talk.action.busy} onClick={() => void talk.startOver()}>
          {talking.startOver}
        </button>
      </Say>
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
