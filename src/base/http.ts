/**
 * `node:http` for those who make servers. An `import` of it would read every export, and one of them (`WebSocket`) is all of Node's
 * own undici, loaded when it is read: 50 ms and 15 MiB of each start, for nothing.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
