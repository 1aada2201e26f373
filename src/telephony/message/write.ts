import { isRequest, type Message } from './message.ts';

/** Line breaks would end the header and begin another of the sender's choice. */

const singleLine = (value: string): string => value.replace(/[\r\n]+/g, ' ');

/** The bytes of a message. `Content-Length` is always written, and always the body's. */
export function writeMessage(message: Message): Buffer {
  const start = isRequest(message)
    ? `${message.method} ${message.uri} SIP/2.0`
    : `SIP/2.0 ${message.status} ${message.reason}`;
  const headers = message.headers.filter(([name]) => name !== 'Content-Length');
  const lines = headers.map(([name, value]) => `${name}: ${singleLine(value)}`);
  const head = [singleLine(start), ...lines, `Content-Length: ${message.body.length}`].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'utf8'), message.body]);
}
