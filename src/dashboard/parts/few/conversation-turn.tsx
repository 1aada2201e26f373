import type { ConversationTurn } from '../../client.ts';
import { clock } from '../../text/plural.ts';
import { talking } from '../../text/talking.ts';

type Props = { turn: ConversationTurn; roles?: Readonly<Record<ConversationTurn['role'], string>> };

/** A turn of a conversation by text; below those of the agent stand their duration, passages and tools. */
export function Turn({ turn, roles = talking.roles }: Props) {
  const { role, text, at_ms: at, total_ms: total, first_token_ms: first, passages, tools } = turn;
  return (
    <li class={role}>
      <span class="quiet">
        {roles[role]} {clock(at / 1000)}
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
