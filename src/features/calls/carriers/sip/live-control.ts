import { messageOf } from '../../../../base/errors.ts';
import type { App } from '../../../../kernel/app.ts';
import { writtenHostPort } from '../../../../telephony/message/uri.ts';
import { readTarget } from '../../../../telephony/transport/resolve.ts';
import { findNumber } from '../../../numbers/service.ts';
import type { Call } from '../../call.ts';
import { findCall } from '../../service.ts';
import type { Controlled, LiveControl } from '../carrier.ts';
import type { ThreadReply, ThreadRequest } from '../thread/protocol.ts';

type Control = { request(request: ThreadRequest): Promise<ThreadReply> };

const done: Controlled = { done: true };
const refused = (reason: string): Controlled => ({ done: false, reason });

/** Hands a call on by itself, for its agent. Never rejects; resolves with the refusal as a sentence, or null. */
export async function handOn(app: App, control: LiveControl, callId: string, to: string): Promise<string | null> {
  try {
    const call = await findCall(app.db, callId);
    if (call?.state !== 'in_progress') return 'The call is not in progress.';
    const result = await control.transfer(app, call, to);
    return result.done ? null : result.reason;
  } catch (error) {
    return messageOf(error);
  }
}

/** Actions in an answered call, carried out by the telephony thread. */
export function liveControl(
  { allowed_prefixes: prefixes }: { allowed_prefixes: readonly string[] },
  line: () => { thread: Control } | undefined,
): LiveControl {
  const ask = async (request: ThreadRequest): Promise<ThreadReply> => (await line()?.thread.request(request)) ?? {};
  return {
    async sendDigits(_app, { id }, digits) {
      const { done: sent = false } = await ask({ type: 'send-keys', callId: id, digits });
      return sent ? done : refused('The other side takes no keys.');
    },
    async say(_app, { id }, text) {
      const { done: said = false } = await ask({ type: 'say', callId: id, text });
      return said ? done : refused('The agent cannot say it: its voice is not connected.');
    },
    async transfer(app, call: Call, to) {
      if (prefixes.length > 0 && !prefixes.some((prefix) => to.startsWith(prefix))) {
        return refused(`${to} begins with none of the prefixes in sip.allowed_prefixes.`);
      }
      const number = await findNumber(app.db, call.orgId, call.phoneNumberId);
      if (!number?.terminationUri) return refused(`${call.from ?? 'The number'} has no termination_uri.`);
      const { host, port } = readTarget({ uri: number.terminationUri, transport: number.transport });
      const phone = number.dialFormat === 'digits' ? to.replace(/^\+/, '') : to;
      const uri = `sip:${phone}@${writtenHostPort(host, port)}`;
      const { refusal = 'The call is not in progress.' } = await ask({
        type: 'transfer',
        callId: call.id,
        uri,
        phone: to,
      });
      return refusal === null ? done : refused(refusal);
    },
  };
}
