/** The module of the worker threads in these tests; each request tells it what to do. */
import { parentOf } from '../../../../src/base/worker/parent.ts';
import type { WorkerProtocol } from '../../../../src/base/worker/messages.ts';

export type TestProtocol = WorkerProtocol & {
  data: { greeting: string; diesAtStart?: boolean };
  request:
    | { does: 'greet'; name: string }
    | { does: 'throw' | 'crash' | 'exit' | 'hang' | 'reply with a function' }
    | { does: 'wait' };
  reply: unknown;
  toThread: { word: string };
  fromThread: { heard: string };
};

const parent = parentOf<TestProtocol>();
const { greeting, diesAtStart } = parent.data;
if (diesAtStart) throw new Error('no start');
let goOn: (() => void) | undefined;

parent.serve({
  async answer(request) {
    if (request.does === 'greet') return `${greeting}, ${request.name}`;
    if (request.does === 'throw') throw Object.assign(new Error('refused'), { code: 'REFUSED' });
    if (request.does === 'reply with a function') return () => undefined;
    if (request.does === 'exit') process.exit(1);
    if (request.does === 'crash') queueMicrotask(() => crash());
    if (request.does === 'hang') for (;;);
    await new Promise<void>((resolve) => (goOn = resolve));
    return 'waited';
  },
  receive({ word }) {
    parent.post({ heard: word });
    goOn?.();
  },
  end: () => parent.post({ heard: 'the end' }),
});

function crash(): void {
  throw new Error('crashed');
}
