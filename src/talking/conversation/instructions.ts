import type { AgentInCall } from '../speech/engine.ts';

/** What the model is told for the whole call: the agent's prompt, then how telephones are. */
export function instructionsOf({ prompt, emotion }: Pick<AgentInCall, 'prompt' | 'emotion'>): string {
  const parts = [
    prompt ?? '',
    'You are on the telephone. Keep answers short and speak naturally. A message that begins with [keypad] has the keys that the other side has pressed.',
    ...(emotion ? ['Speak with an expressive, lively voice that shows feeling.'] : []),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const exactly = (text: string): string => `Say exactly this, word for word, and nothing else:\n${text}`;

/** How the model is made to say a text. */
export const sayInstructions = exactly;

const maybeMachine =
  'If what you have just heard is a mailbox, an answering machine or a menu and not a person, call report_voicemail and say nothing. Otherwise:';

/** The instructions of the agent's first answer; undefined where it begins freely. */
export function openingInstructions(
  { firstMessage, recordingNotice }: Pick<AgentInCall, 'firstMessage' | 'recordingNotice'>,
  isUnclear: boolean,
): string | undefined {
  const texts = [recordingNotice, firstMessage].filter((text) => text !== null && text !== '');
  const isFree = firstMessage === null || firstMessage === '';
  const begins = isFree && texts.length > 0 ? '\nThen greet the other side and begin the conversation.' : '';
  const message = texts.length === 0 ? undefined : `${exactly(texts.join(' '))}${begins}`;
  if (!isUnclear) return message;
  return `${maybeMachine}\n${message ?? 'greet the person and begin the conversation.'}`;
}

export const reminderInstructions =
  'Nobody has spoken for a while. Ask briefly, in the language of the call, whether the other side is still there.';
