import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import threads, { type WorkerOptions } from 'node:worker_threads';

/** A name server for the threads that start while it runs: they import names-in-thread.ts first. */
export type Names = {
  /** Makes a name that leads to these ports of 127.0.0.1, in this order. Its look-ups wait until `release`, if they are to be held. */
  name(ports: readonly number[], options?: { held?: boolean }): string;
  /** Resolves when the name has been looked up. */
  asked(name: string): Promise<void>;
  release(name: string): void;
  close(): Promise<void>;
};

type Known = { ports: readonly number[]; asked: PromiseWithResolvers<void>; held: PromiseWithResolvers<void> };

const Plain = threads.Worker;

/** Makes the threads that are started by a script import a module first. */
function preloadInThreads(url: URL): void {
  const preload = `const preloaded = import(${JSON.stringify(url.href)});`;
  threads.Worker = class extends Plain {
    constructor(script: string | URL, options: WorkerOptions = {}) {
      super(options.eval ? `${preload} preloaded.then(() => { ${String(script)} });` : script, options);
    }
  };
  syncBuiltinESMExports();
}

export async function startNames(): Promise<Names> {
  const known = new Map<string, Known>();
  const server = createServer((request, response) => {
    const [, kind, name = ''] = request.url!.split('/');
    const found = known.get(name.replace(/^_sip\._(?:udp|tcp)\./, ''));
    if (!found) return response.writeHead(404).end();
    found.asked.resolve();
    const srv = found.ports.map((port, priority) => ({ name, port, priority, weight: 1 }));
    const answer = kind === 'srv' ? srv : [{ address: '127.0.0.1', family: 4 }];
    void found.held.promise.then(() => response.end(JSON.stringify(answer)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  preloadInThreads(new URL(`names-in-thread.ts?port=${port}`, import.meta.url));
  return {
    name(ports, { held = false } = {}) {
      const name = `trunk-${known.size}.test`;
      const made = { ports, asked: Promise.withResolvers<void>(), held: Promise.withResolvers<void>() };
      if (!held) made.held.resolve();
      known.set(name, made);
      return name;
    },
    asked: (name) => known.get(name)!.asked.promise,
    release: (name) => known.get(name)!.held.resolve(),
    async close() {
      threads.Worker = Plain;
      syncBuiltinESMExports();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
