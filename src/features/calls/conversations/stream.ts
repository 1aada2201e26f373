import { AppError } from '../../../base/errors.ts';
import type { App } from '../../../kernel/app.ts';
import type { EventReceiver, EventStream } from '../../../kernel/route.ts';
import type { AnswerEvents } from './conversation.ts';
import { presentTool } from './wire.ts';

export type Send = (event: string, data: object) => void;

/** A stream of the events that `run` sends, which ends with it. A fault is the last event, `error`. `left`: the reader goes before the end. */
export const streamOf = (
  app: App,
  run: (send: Send, events: AnswerEvents) => Promise<void>,
  left: () => void = () => undefined,
): EventStream => ({
  follow(receiver: EventReceiver) {
    let isOpen = true;
    let hasEnded = false;
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
      .finally(() => {
        hasEnded = true;
        if (isOpen) receiver.end();
      });
    const leave = (): void => {
      isOpen = false;
      if (!hasEnded) left();
    };
    return { drained: () => undefined, leave };
  },
});
