import { endOfHead, maxMessageBytes, type Parsed, parseMessage } from './parse.ts';

/** Cuts the bytes of a TCP or TLS connection into messages (RFC 3261, section 18.3). */
export type Framing = {
  /** The messages that are complete with these bytes. After a fault the connection must be closed, since no later message can be found. */
  push(bytes: Buffer): Parsed[];
  /** Whether a message has begun and is not complete. */
  isWaiting(): boolean;
};

const lengthPattern = /\r\n(?:content-length|l)[ \t]*:\s*(\d{1,9})[ \t]*\r\n/i;

export function createFraming(): Framing {
  let pending: Buffer = Buffer.alloc(0);
  let isBroken = false;

  /** The next complete message, or undefined until more bytes have come. */
  function next(): Parsed | undefined {
    // Empty lines between messages keep the connection open (RFC 5626, section 3.5.1).
    let start = 0;
    while (pending[start] === 13 || pending[start] === 10) start += 1;
    if (start > 0) pending = pending.subarray(start);
    const bodyAt = endOfHead(pending);
    if (bodyAt < 0) return pending.length > maxMessageBytes ? { fault: 'too long' } : undefined;
    const length = lengthPattern.exec(pending.toString('latin1', 0, bodyAt))?.[1];
    if (length === undefined) return { fault: 'Content-Length is missing on a stream' };
    const end = bodyAt + Number(length);
    if (end > maxMessageBytes) return { fault: 'too long' };
    if (pending.length < end) return undefined;
    const message = parseMessage(pending.subarray(0, end));
    pending = pending.subarray(end);
    return message;
  }

  return {
    push(bytes) {
      pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
      const messages: Parsed[] = [];
      while (!isBroken) {
        const message = next();
        if (message === undefined) break;
        messages.push(message);
        isBroken = 'fault' in message;
      }
      return messages;
    },
    isWaiting: () => !isBroken && pending.length > 0,
  };
}
