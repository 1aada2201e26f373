/**
 * The part of `node:http` that servers need. An `import` of the module reads all its exports, and reading `WebSocket` loads the undici
 * inside Node: 50 ms and 15 MiB at every start for nothing.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
