import { type Header } from '../message/message.ts';
import type { Context } from './context.ts';
import { requestIn, send } from './dialog.ts';
import type { Dialog } from './dialog-state.ts';

type Refer = { context: Context; dialog: Dialog; uri: string; isOver: () => boolean };

/**
 * Sends REFER (RFC 3515) and takes 202 as the other side's agreement. Resolves with its refusal in its words, or with null.
 */
export async function refer({ context, dialog, uri, isOver }: Refer): Promise<string | null> {
  const headers: Header[] = [
    ['Refer-To', `<${uri}>`],
    ['Referred-By', dialog.local.replace(/;.*$/, '')],
    ['Contact', dialog.contact],
  ];
  const result = await send(context, dialog, requestIn(context, dialog, 'REFER', { headers }));
  if ('failed' in result) return result.failed;
  const { status, reason } = result.response;
  if (status >= 300) return `SIP ${status} ${reason}`;
  return isOver() ? 'The call ended during the transfer.' : null;
}
