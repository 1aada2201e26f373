import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, ServerOptions } from 'node:https';

/**
 * The part of `node:http` that servers need. An `import` of the module reads all its exports, and reading `WebSocket` loads the undici
 * inside Node: 50 ms and 15 MiB at every start for nothing.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Like `createServer` of `node:https`, which is loaded only where it is used. */
export const createTlsServer = (options: ServerOptions, listener: Listener): Server =>
  process.getBuiltinModule('node:https').createServer(options, listener);
