/** A program that only waits for a thread. */
import { startThread } from '../../../../src/base/worker/thread.ts';
import type { TestProtocol } from './module.ts';

const module = { asset: 'none', url: () => new URL('module.ts', import.meta.url) };
const thread = startThread<TestProtocol>(module, { name: 'test', data: { greeting: 'Hello' } });
console.log(await thread.request({ does: 'greet', name: 'Ada' }));
console.log((await thread.usedBytes()) > 0);
