import { type Header, noBody, type Request } from '../message/message.ts';
import { identityOf } from '../message/parse.ts';
import { writtenHostPort, writtenUser } from '../message/uri.ts';
import type { Hop } from '../transport/hop.ts';
import { readTarget } from '../transport/resolve.ts';
import { allowedMethods, type Context, contactOf, viaOf } from './context.ts';
import type { DialRequest } from './reports.ts';

export type InviteParts = {
  hop: Hop;
  hopIndex: number;
  localHost: string;
  cseq: number;
  body: Buffer;
  /** The answers to the challenges so far. */
  authorization: readonly Header[];
  /** The shortest session interval that the other side accepts (422). */
  minSessionSec: number | null;
};

/** The INVITE of a call (docs/api/telephony.md, "Dialing"). */
export function inviteOf(context: Context, call: DialRequest, parts: InviteParts): Request {
  const { hop, hopIndex, localHost, cseq, body } = parts;
  const { tokens, settings } = context;
  const trunk = trunkOf(call);
  const number = `<sip:${call.from}@${trunk}>`;
  const from = call.fromUser === null ? number : `<sip:${writtenUser(call.fromUser)}@${trunk}>`;
  return {
    method: 'INVITE',
    uri: calledUri(call),
    headers: [
      viaOf(context, hop, localHost, tokens.branch(call.id, cseq, hopIndex)),
      ['Max-Forwards', '70'],
      ['From', `${from};tag=${tokens.fromTag(call.id)}`],
      ['To', `<sip:${call.to}@${trunk}>`],
      ['Call-ID', tokens.callId(call.id)],
      ['CSeq', `${cseq} INVITE`],
      ['Contact', contactOf(context, hop, localHost, call.from)],
      ['P-Asserted-Identity', number],
      // Trunks that take From for the account's name read the number here (RFC 3325).
      ...(call.fromUser === null ? [] : [['P-Preferred-Identity', number] as const]),
      ['Allow', allowedMethods],
      ...sessionTimer(settings.sessionExpiresSec, parts.minSessionSec),
      ['User-Agent', settings.userAgent],
      ...parts.authorization,
      ['Content-Type', 'application/sdp'],
    ],
    body,
  };
}

/** The Request-URI of a call's INVITEs. */
export const calledUri = (call: DialRequest): string => `sip:${call.to}@${trunkOf(call)}`;

/** The host of `termination_uri`, with its port. */
function trunkOf({ trunk }: DialRequest): string {
  const { host, port } = readTarget(trunk);
  return writtenHostPort(host, port);
}

/** RFC 4028. */
function sessionTimer(expiresSec: number, minSec: number | null): Header[] {
  if (expiresSec === 0) return [];
  const wanted = Math.max(expiresSec, minSec ?? 0);
  return [
    ['Supported', 'timer'],
    ['Session-Expires', String(wanted)],
    ['Min-SE', String(minSec ?? 90)],
  ];
}

/** CANCEL goes where the INVITE went, with its branch (RFC 3261, section 9.1). */
export function cancelOf(invite: Request): Request {
  const kept = new Set(['Via', 'Max-Forwards', 'From', 'To', 'Call-ID', 'Route', 'User-Agent']);
  const headers = invite.headers.filter(([name]) => kept.has(name));
  const { number } = identityOf(invite).cseq;
  return { method: 'CANCEL', uri: invite.uri, headers: [...headers, ['CSeq', `${number} CANCEL`]], body: noBody };
}
