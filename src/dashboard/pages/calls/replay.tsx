import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import {
  api,
  type Call,
  type Conversation,
  type ConversationTurn,
  deleteConversation,
  getAgent,
  isAborted,
  isNotFound,
  replay,
} from '../../client.ts';
import { Turn } from '../../parts/few/conversation-turn.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { messageOf } from '../../state/form.ts';
import { isMember } from '../../state/session.ts';
import { calls } from '../../text/calls.ts';
import { shell } from '../../text/en.ts';

/**
 * The version of its agent to which a call can be replayed; undefined where nobody said anything, and where the agent was deleted.
 */
export async function versionToReplay(call: Call, signal: AbortSignal): Promise<number | undefined> {
  const hasWords = call.transcripts.some(({ role, message }) => role === 'user' && message.format === 'text');
  if (!hasWords || call.state !== 'ended' || !isMember.value) return undefined;
  try {
    return (await getAgent(api, { params: { agent_id: call.agent_id }, signal })).data.edition;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Says what the person said in a call again, to the agent as it is now. */
export function ReplayButton({ call, version }: { call: Call; version: number }) {
  const isOpen = useSignal(false);
  return (
    <>
      <button type="button" onClick={() => void (isOpen.value = true)}>
        {calls.replay(version)}
      </button>
      {isOpen.value && <Replay call={call} version={version} close={() => void (isOpen.value = false)} />}
    </>
  );
}

type State = { turns: readonly ConversationTurn[]; isDone: boolean; fault?: string };

/** A replay ends with the dialog. */
function useReplay(callId: string): State {
  const state = useSignal<State>({ turns: [], isDone: false });
  useEffect(() => {
    const controller = new AbortController();
    let conversation: Conversation | undefined;
    const follow = async (): Promise<void> => {
      for await (const { event, data } of replay(callId, controller.signal)) {
        const before = state.peek();
        if (event === 'error') state.value = { ...before, fault: data.message };
        else if (event === 'turn') state.value = { ...before, turns: [...before.turns, data] };
        else {
          conversation = data;
          state.value = { ...before, turns: data.turns };
        }
      }
      state.value = { ...state.peek(), isDone: true };
    };
    follow().catch((error: unknown) => {
      if (!isAborted(error)) state.value = { ...state.peek(), isDone: true, fault: messageOf(error) };
    });
    return () => {
      controller.abort();
      if (!conversation || !state.peek().isDone) return; // the server ends it with the stream
      const params = { id: conversation.agent_id, cid: conversation.id };
      // It is gone by itself after half an hour, so a refusal does no harm.
      void deleteConversation(api, { params }).catch(() => undefined);
    };
  }, [callId]);
  return state.value;
}

function Replay({ call, version, close }: { call: Call; version: number; close: () => void }) {
  const { turns, isDone, fault } = useReplay(call.call_id);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => list.current?.scrollTo({ top: list.current.scrollHeight }), [turns.length]);
  return (
    <Dialog title={calls.replay(version)} close={close} wide>
      <p class="quiet">{calls.replayText}</p>
      <ol class="transcript talk" ref={list} tabIndex={0} aria-label={calls.replayed} aria-busy={!isDone}>
        {turns.map((turn, index) => (
          <Turn key={index} turn={turn} roles={calls.roles} />
        ))}
      </ol>
      {fault !== undefined && (
        <div class="notice bad" role="alert">
          <p>{fault}</p>
        </div>
      )}
      <p class="quiet" role="status">
        {isDone ? calls.replayDone : shell.loading}
      </p>
    </Dialog>
  );
}
