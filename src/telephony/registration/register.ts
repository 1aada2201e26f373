import { isIP } from 'node:net';
import { parseAddress } from '../message/address.ts';
import { type Header, headerOf, headerValues, noBody, type Request, type Response } from '../message/message.ts';
import { parseUri, type SipUri, writtenHostPort, writtenUser } from '../message/uri.ts';
import { parseVia } from '../message/via.ts';
import { readTarget } from '../transport/resolve.ts';
import type { Account } from './account.ts';

/** Where the registrar reaches us. */
export type Endpoint = { host: string; port: number };

export type RegisterParts = {
  via: Header;
  cseq: number;
  tag: string;
  expiresSec: number;
  /** Our Contact's URI. */
  contact: string;
  /** The URI of an earlier Contact that the registrar may still have; null if there is none. */
  formerContact: string | null;
  authorization: readonly Header[];
  userAgent: string;
};

/** The Request-URI of a REGISTER names the domain alone (RFC 3261, section 10.2). */
export const registrarUri = ({ trunk }: Account): string => `sip:${writtenHostPort(readTarget(trunk).host, null)}`;

export function registerOf(account: Account, parts: RegisterParts): Request {
  const host = writtenHostPort(readTarget(account.trunk).host, null);
  const own = `<sip:${writtenUser(account.username)}@${host}>`;
  const former: Header[] = parts.formerContact === null ? [] : [['Contact', `<${parts.formerContact}>;expires=0`]];
  return {
    method: 'REGISTER',
    uri: registrarUri(account),
    headers: [
      parts.via,
      ['Max-Forwards', '70'],
      ['From', `${own};tag=${parts.tag}`],
      ['To', own],
      ['Call-ID', `registration-${account.token}`],
      ['CSeq', `${parts.cseq} REGISTER`],
      ['Contact', `<${parts.contact}>`],
      ...former,
      ['Expires', String(parts.expiresSec)],
      ['User-Agent', parts.userAgent],
      ...parts.authorization,
    ],
    body: noBody,
  };
}

/** Where the registrar saw the request come from (RFC 3581); undefined if it does not say so. */
export function seenAt(response: Response): Endpoint | undefined {
  const via = parseVia(headerValues(response, 'Via')[0]!)!;
  const received = via.parameters.get('received')?.replace(/^\[|\]$/g, '');
  const rport = Number(via.parameters.get('rport') ?? '');
  const host = received !== undefined && isIP(received) !== 0 ? received : undefined;
  const port = Number.isInteger(rport) && rport > 0 && rport < 65_536 ? rport : undefined;
  if (host === undefined && port === undefined) return undefined;
  return { host: host ?? via.host, port: port ?? via.port ?? 5060 };
}

const seconds = (text: string | undefined): number | null => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : null);

/** For how many seconds the registrar keeps our Contact; null if it does not say so. */
export function grantedSec(response: Response, { token, contact }: { token: string; contact: string }): number | null {
  const ours = headerValues(response, 'Contact').flatMap((value) => {
    const address = parseAddress(value);
    const uri = address && parseUri(address.uri);
    return uri?.user === token ? [{ uri, expires: seconds(address!.parameters.get('expires')) }] : [];
  });
  const wanted = parseUri(contact)!;
  const isSame = ({ host, port }: SipUri): boolean => host === wanted.host && port === wanted.port;
  // A registrar may write our Contact with another address; the user is ours alone.
  const own = ours.find(({ uri }) => isSame(uri)) ?? ours[0];
  return own?.expires ?? seconds(headerOf(response, 'Expires'));
}

export const minExpiresSec = (response: Response): number | null => seconds(headerOf(response, 'Min-Expires'));
