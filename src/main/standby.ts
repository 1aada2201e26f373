import type { RequestListener } from 'node:http';
import type { Config } from '../base/config/schema.ts';
import { messageOf } from '../base/errors.ts';
import { createServer, createTlsServer } from '../base/http.ts';
import type { Log } from '../base/log.ts';
import { readKeyPair } from './certificate.ts';
import { closeServer, listenOn } from './listen.ts';

/** Answers while another node is active, so that a load balancer finds that one by `/ready`. */
export type Standby = {
  /** Begins to listen with the first call. */
  show(active: string): void;
  close(): Promise<void>;
};

export function createStandby(config: Config, log: Log): Standby {
  let active = '';
  let listening: Promise<() => Promise<void>> | undefined;

  const answer: RequestListener = (request, response) => {
    const path = request.url?.split('?')[0];
    request.resume();
    response.setHeader('content-type', 'application/json');
    if (path === '/livez') response.end(JSON.stringify({ status: 'alive' }));
    else if (path === '/ready') response.writeHead(503).end(JSON.stringify({ status: 'standby', active }));
    else
      response.writeHead(503, { 'retry-after': '1' }).end(
        JSON.stringify({
          success: false,
          message: `This node stands by; ${active} is active.`,
          code: 'UNAVAILABLE',
        }),
      );
  };

  async function listen(): Promise<() => Promise<void>> {
    const pair = readKeyPair(config);
    const server = pair ? createTlsServer(pair, answer) : createServer(answer);
    try {
      await listenOn(server, config.http.host, config.http.port);
    } catch (error) {
      log.error({ error: messageOf(error) }, 'this node stands by, but cannot say so');
      return () => Promise.resolve();
    }
    return () => closeServer(server);
  }

  return {
    show(name) {
      if (name !== active) log.info({ active: name }, 'standing by');
      active = name;
      listening ??= listen();
    },
    async close() {
      const close = await listening;
      await close?.();
    },
  };
}
