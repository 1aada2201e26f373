import { parseAddress } from '../message/address.ts';
import { type Header, headerOf, headerValues, noBody, type Response } from '../message/message.ts';
import { identityOf } from '../message/parse.ts';
import type { Hop } from '../transport/hop.ts';
import { type Context, contactOf } from './context.ts';
import { dialogOf, requestIn, send, updateHop } from './dialog.ts';
import { cancelOf } from './invite.ts';
import type { Leftover } from './journal.ts';
import { acknowledge } from './talk.ts';

/** Answers a late 2xx to the INVITE of a call that has ended, perhaps before a restart of the server, with ACK and BYE. */
export async function refuseLate(context: Context, callId: string, response: Response, from: Hop): Promise<void> {
  const localHost = await context.transport.localHost(from);
  const dialog = dialogOf(response, {
    local: headerOf(response, 'From')!,
    localSeq: identityOf(response).cseq.number,
    hop: from,
    localHost,
    contact: contactOf(context, from, localHost, 'parley'),
    credentials: null,
    mayUseTcp: false, // a BYE is small
  });
  await updateHop(context, dialog);
  acknowledge(context, dialog, response);
  dialog.credentials = await context.credentialsOf(callId);
  await send(context, dialog, requestIn(context, dialog, 'BYE'));
}

/**
 * Sends the ACK of a refusal whose INVITE was sent before a restart of the server. Without it the other side would repeat the refusal for
 * 32 s.
 */
export function acknowledgeRefusal(context: Context, response: Response, from: Hop): void {
  const kept = (name: string): Header => [name, headerOf(response, name)!];
  const headers: Header[] = [
    ['Via', headerValues(response, 'Via')[0]!],
    ['Max-Forwards', '70'],
    kept('From'),
    kept('To'),
    kept('Call-ID'),
    ['CSeq', `${identityOf(response).cseq.number} ACK`],
  ];
  const { uri } = parseAddress(headerOf(response, 'To')!)!;
  context.transactions.sendAlone({ method: 'ACK', uri, headers, body: noBody }, from);
}

/** Ends what a previous process left at the other side: BYE for an answered call, CANCEL for an INVITE. */
export async function endLeftover(context: Context, leftover: Leftover): Promise<void> {
  if ('dialog' in leftover) {
    const { dialog, callId } = leftover;
    dialog.credentials = await context.credentialsOf(callId);
    await send(context, dialog, requestIn(context, dialog, 'BYE'));
  } else {
    const cancel = cancelOf(leftover.invite);
    await new Promise<void>((resolve) => {
      context.transactions.request(cancel, leftover.hop, {
        response: ({ status }) => status >= 200 && resolve(),
        failed: () => resolve(),
      });
    });
  }
  context.journal.ended(leftover.callId);
}
