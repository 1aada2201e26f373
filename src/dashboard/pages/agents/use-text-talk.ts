import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import {
  type AgentSettingsToTry,
  api,
  type Conversation,
  type ConversationTurn,
  createConversation,
  createConversationTurn,
  deleteConversation,
} from '../../client.ts';
import { type Action, useAction } from '../../state/action.ts';

/** A conversation by text with an agent, as its fields are. */
export type TextTalk = {
  turns: ReadonlySignal<readonly ConversationTurn[]>;
  /** What was said and is not answered yet. */
  asked: ReadonlySignal<string | undefined>;
  /** The settings that it speaks with, as text; undefined before it began. */
  spokenWith: ReadonlySignal<string | undefined>;
  isOver: ReadonlySignal<boolean>;
  engine: ReadonlySignal<Conversation['engine'] | undefined>;
  action: Action;
  /** Begins, unless it goes on already. */
  begin(): Promise<void>;
  say(text: string): Promise<boolean>;
  startOver(): Promise<void>;
};

/** `settings`: all that the fields say, as text, whether they are saved or not. */
type Fields = { unsaved: AgentSettingsToTry; settings: string };

export function useTextTalk(agentId: string, fields: Fields): TextTalk {
  const turns = useSignal<readonly ConversationTurn[]>([]);
  const asked = useSignal<string | undefined>(undefined);
  const spokenWith = useSignal<string | undefined>(undefined);
  const isOver = useSignal(false);
  const engine = useSignal<Conversation['engine'] | undefined>(undefined);
  const talk = useRef<string | undefined>(undefined);
  const latest = useRef(fields);
  latest.current = fields;
  const action = useAction();
  // It is gone by itself after half an hour, so a refusal does no harm.
  const end = (): void => {
    if (talk.current !== undefined) {
      void deleteConversation(api, { params: { id: agentId, cid: talk.current } }).catch(() => undefined);
    }
    talk.current = undefined;
  };
  useEffect(() => end, []);

  const open = async (idempotencyKey: string): Promise<void> => {
    const { unsaved, settings } = latest.current;
    const { data } = await createConversation(api, {
      params: { id: agentId },
      body: { settings: unsaved },
      idempotencyKey,
    });
    talk.current = data.id;
    turns.value = data.turns;
    engine.value = data.engine;
    isOver.value = data.ended;
    spokenWith.value = settings;
  };

  const beginning = useRef<Promise<unknown>>(undefined);
  const begin = async (): Promise<void> => {
    if (talk.current !== undefined) return;
    beginning.current = action.run(({ idempotencyKey }) => open(idempotencyKey));
    await beginning.current;
  };
  return {
    turns,
    asked,
    spokenWith,
    isOver,
    engine,
    action,
    begin,
    async startOver() {
      end();
      turns.value = [];
      await begin();
    },
    async say(text) {
      asked.value = text;
      // The field may be sent before the conversation that entering it began is there.
      await beginning.current;
      return action
        .run(async ({ idempotencyKey }) => {
          if (talk.current === undefined) await open(`${idempotencyKey}-talk`);
          const params = { id: agentId, cid: talk.current! };
          const { data: answer } = await createConversationTurn(api, { params, body: { text }, idempotencyKey });
          turns.value = [...turns.value, ...answer.turns];
          isOver.value = answer.ended;
        })
        .finally(() => void (asked.value = undefined));
    },
  };
}
