import { AppError } from '../../../base/errors.ts';
import type { App } from '../../../kernel/app.ts';
import type { EventReceiver, EventStream } from '../../../kernel/route.ts';
import type { AnswerEvents } from './conversation.ts';
import { presentTool } from './wire.ts';

export type Send = (event: string, data: object) => void;

/** A stream of the events that `run` sends, which ends with it. A fault is the last event, `error`. */
export const streamOf = (app: App, run: (send: Send, events: AnswerEvents) => Promise<void>): EventStream => ({
  follow(receiver: EventReceiver) {
    let isOpen = true;
    const send: Send = (event, data) => {
      if (isOpen) receiver.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    };
    const events: AnswerEvents = {
      text: (text) => send('text', { text }),
      tool: (tool) => send('tool', presentTool(tool)),
    };
    run(send, events)
      .catch((error: unknown) => {
        if (!(error instanceof AppError)) app.log.error({ err: error }, 'a conversation by text failed');
        send('error', { message: error instanceof AppError ? error.message : 'Internal error.' });
      })
      .finally(() => isOpen && receiver.end());
    return { drained: () => undefined, leave: () => void (isOpen = false) };
  },
});
