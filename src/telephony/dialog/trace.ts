import type { Message } from '../message/message.ts';
import { redact } from '../message/redact.ts';
import { writeMessage } from '../message/write.ts';
import type { Hop } from '../transport/hop.ts';
import type { Context } from './context.ts';

/** Logs the SIP messages of our calls and of known sources, at the level trace. */
export type Trace = {
  received(message: Message, from: Hop): void;
  sent(bytes: Buffer, to: Hop): void;
};

/** `isKnown`: whether a message is of a call of ours or from a known source. */
export function createTrace(log: Context['log'], isKnown: (message: Message, from: Hop) => boolean): Trace {
  const note = (direction: 'sent' | 'received', { address, port, transport }: Hop, bytes: Buffer): void =>
    log('trace', { direction, address, port, transport, sip: redact(bytes.toString('utf8')) }, 'a SIP message');
  return {
    received(message, from) {
      if (isKnown(message, from)) note('received', from, writeMessage(message));
    },
    sent: (bytes, to) => note('sent', to, bytes),
  };
}
