import { parseAddress } from '../message/address.ts';
import type { Credentials } from '../message/digest.ts';
import { type Header, headerLines, headerOf, headerValues, type Request } from '../message/message.ts';
import { identityOf } from '../message/parse.ts';
import { parseUri } from '../message/uri.ts';
import { answerTo } from './session-timer.ts';

/** The facts of an incoming INVITE from which the main thread decides whether parley answers the call. */
export type IncomingInvite = {
  /** The users that may be the called number, in this order: of the Request-URI, of P-Called-Party-ID (RFC 7315), of To. */
  called: readonly string[];
  /** The users that may be the caller, the one that the caller shows first; none if the caller is withheld. */
  callers: readonly string[];
  /** The address that the INVITE came from. */
  source: string;
  /** Why the audio that the INVITE offers cannot be used, as a sentence; null if it can. */
  fault: string | null;
};

export type IncomingDecision =
  | {
      accepted: true;
      callId: string;
      /** The user part of the Contact that parley sends: the called number. */
      user: string;
      credentials: Credentials | null;
      maxDurationMs: number;
    }
  | { accepted: false; status: number; phrase: string };

/** A number in the user part of a URI, without its parameters, escapes and visual separators. */
function numberIn(uri: string): string | undefined {
  const tel = /^tel:([^;]+)/i.exec(uri)?.[1];
  const user = tel ?? parseUri(uri)?.user?.split(/[;:]/)[0];
  return user?.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

const withoutSeparators = (user: string): string => user.replace(/[-.()]/g, '');

export const calledUsers = (request: Request): string[] => {
  const addresses = [headerOf(request, 'P-Called-Party-Id'), headerOf(request, 'To')];
  const uris = addresses.map((address) => parseAddress(address ?? '')?.uri);
  const users = [request.uri, ...uris].map((uri) => withoutSeparators(numberIn(uri ?? '') ?? ''));
  return [...new Set(users)].filter((user) => user !== '');
};

/** From is what the caller shows; P-Asserted-Identity what its network knows (RFC 3325), which a withheld caller must not be known by. */
export function callersOf(request: Request): string[] {
  const privacy = headerLines(request, 'Privacy').join(';').toLowerCase();
  if (/\b(?:id|user|header)\b/.test(privacy)) return [];
  const from = headerOf(request, 'From')!;
  if (/anonymous/i.test(numberIn(parseAddress(from)!.uri) ?? '')) return [];
  const addresses = [from, ...headerValues(request, 'P-Asserted-Identity')];
  return addresses.flatMap((address) => {
    const user = numberIn(parseAddress(address)?.uri ?? '');
    return user === undefined ? [] : [withoutSeparators(user)];
  });
}

/** Names the INVITE of a call for its CANCEL, and for a copy of it that came another way. */
export const inviteKey = (request: Request): string => {
  const { callId, fromTag } = identityOf(request);
  return `${callId}\n${fromTag ?? ''}`;
};

/** Extensions that a caller may require of us (RFC 3261, section 8.2.2.3). */
const known = new Set(['timer']);

const unknownExtensions = (request: Request): string[] =>
  headerValues(request, 'Require').filter((extension) => !known.has(extension.toLowerCase()));

/** A Call-ID this long is an attempt to fill the database. */
const maxCallIdChars = 256;

export type Refusal = { status: number; phrase: string; headers?: Header[] };

/** Why an INVITE is refused whatever its number; undefined if it is not. */
export function malformed(request: Request): Refusal | undefined {
  if (identityOf(request).callId.length > maxCallIdChars) return { status: 400, phrase: 'Call-ID Too Long' };
  const unsupported = unknownExtensions(request).join(', ');
  if (unsupported !== '') return { status: 420, phrase: 'Bad Extension', headers: [['Unsupported', unsupported]] };
  const session = answerTo(request, 0);
  if (session.tooShort) return { status: 422, phrase: 'Session Interval Too Small', headers: session.headers };
  const type = headerOf(request, 'Content-Type')?.split(';')[0]!.trim().toLowerCase();
  if (request.body.length > 0 && type !== 'application/sdp') return { status: 415, phrase: 'Unsupported Media Type' };
  return undefined;
}
