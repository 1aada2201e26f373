import { parentPort, type Transferable, workerData } from 'node:worker_threads';
import { failureOf, type FromThread, type ToThread, type WorkerProtocol } from './messages.ts';

export type ThreadHandlers<P extends WorkerProtocol> = {
  answer(request: P['request']): Promise<P['reply']> | P['reply'];
  /** Buffers of a reply that are moved instead of copied. */
  transfer?(reply: P['reply']): Transferable[];
  /** Takes the one-way messages. */
  receive?(message: P['toThread']): void;
  /** Called before the thread ends, to clean up: every request has been answered, and no more will come. */
  end?(): void;
};

/** The thread's side of a protocol: what its starter gave it, and the ways to answer. For modules that run in a worker thread. */
export type Parent<P extends WorkerProtocol> = {
  data: P['data'];
  post(message: P['fromThread'], transfer?: Transferable[]): void;
  /** Takes requests from now on. */
  serve(handlers: ThreadHandlers<P>): void;
};

export function parentOf<P extends WorkerProtocol>(): Parent<P> {
  const port = parentPort!;
  const send = (message: FromThread<P>, transfer: Transferable[] = []): void => port.postMessage(message, transfer);

  async function answer(handlers: ThreadHandlers<P>, id: number, request: P['request']): Promise<void> {
    try {
      const reply = await handlers.answer(request);
      send({ id, reply }, handlers.transfer?.(reply));
    } catch (error) {
      send({ id, failure: failureOf(error) });
    }
  }

  return {
    data: workerData as P['data'],
    post: (message, transfer) => send({ post: message }, transfer),
    serve(handlers) {
      port.on('message', (message: ToThread<P>) => {
        if (message === 'end') {
          handlers.end?.();
          port.close();
        } else if ('post' in message) handlers.receive?.(message.post);
        else void answer(handlers, message.id, message.request);
      });
      send('ready');
    },
  };
}
