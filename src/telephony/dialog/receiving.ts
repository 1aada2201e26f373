import { type Header, headerOf, type Request } from '../message/message.ts';
import { identityOf } from '../message/parse.ts';
import { responseTo, type ServerTransaction } from '../transaction/layer.ts';
import type { Hop } from '../transport/hop.ts';
import { capabilities } from './capabilities.ts';
import { allowedMethods } from './context.ts';
import type { Dialog } from './dialog-state.ts';
import { acceptSeq, remoteTagOf } from './dialog.ts';
import { pressedKeys } from './info-keys.ts';

type Receive = (request: Request, from: Hop, server: ServerTransaction) => void;

export type DialogEvents = {
  onAck(this: void, body: Buffer): void;
  onBye(this: void): void;
  /** INVITE and UPDATE; answers them. */
  onOffer: Receive;
  onKey(this: void, digit: string): void;
  onNotify(this: void, request: Request): void;
};

/** Answers the requests of the other side inside a dialog. */
export const receiving =
  (dialog: Dialog, { onAck, onBye, onOffer, onKey, onNotify }: DialogEvents): Receive =>
  (request, from, server) => {
    const reply = (status: number, reason: string, headers: readonly Header[] = []): void =>
      server.answer(responseTo(request, { status, reason, headers, from }));
    // Another tag is another dialog, such as that of a fork which lost: it is not this call's to end.
    const isForeign = identityOf(request).fromTag !== remoteTagOf(dialog);
    if (request.method === 'ACK') return isForeign ? undefined : onAck(request.body);
    if (isForeign) return reply(481, 'Call/Transaction Does Not Exist');
    if (!acceptSeq(dialog, request)) return reply(500, 'Server Internal Error');
    switch (request.method) {
      case 'BYE':
        reply(200, 'OK');
        return onBye();
      case 'INVITE':
      case 'UPDATE':
        return onOffer(request, from, server);
      case 'INFO':
        reply(200, 'OK');
        for (const key of pressedKeys(headerOf(request, 'Content-Type') ?? '', request.body.toString('utf8')))
          onKey(key);
        return;
      case 'OPTIONS':
        return server.answer(capabilities(request, from));
      case 'NOTIFY':
        reply(200, 'OK');
        return onNotify(request);
      default:
        return reply(405, 'Method Not Allowed', [['Allow', allowedMethods]]);
    }
  };
