import { createHash } from 'node:crypto';
import { headerIn, type Peer, type PeerAnswer, type PeerMessage, startPeer } from './peer.ts';

/** A registrar of the tests' own over UDP. It shares no code with the program. */
export type Registrar = Peer & {
  /** The next REGISTER, also one that has come and was not taken yet. */
  register(): Promise<PeerMessage>;
};

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const field = (header: string, name: string): string => new RegExp(`\\b${name}="?([^",]*)"?`).exec(header)?.[1] ?? '';

/** Whether the request has the digest of RFC 2617 (MD5, qop=auth) for this password. */
export function isAuthorized(
  request: PeerMessage,
  { username, password }: { username: string; password: string },
): boolean {
  const header = headerIn(request, 'Authorization');
  const of = (name: string): string => field(header, name);
  const secret = md5(`${username}:${of('realm')}:${password}`);
  const target = md5(`${request.method}:${request.uri}`);
  const wanted = md5(`${secret}:${of('nonce')}:${of('nc')}:${of('cnonce')}:auth:${target}`);
  return of('username') === username && of('uri') === request.uri && of('response') === wanted;
}

export const challenge = (nonce = 'abc'): PeerAnswer => ({
  status: 401,
  reason: 'Unauthorized',
  headers: [['WWW-Authenticate', `Digest realm="registrar", nonce="${nonce}", algorithm=MD5, qop="auth"`]],
});

/** 200 with the request's own Contact, kept for so long. */
export const granted = (request: PeerMessage, expiresSec: number): PeerAnswer => ({
  status: 200,
  reason: 'OK',
  headers: [['Contact', `${headerIn(request, 'Contact')};expires=${expiresSec}`]],
});

/** The request as if it had come through a NAT: the answer says where from. */
export const seenFrom = (request: PeerMessage, host: string, port: number): PeerMessage => ({
  ...request,
  headers: request.headers.map(([name, value]) => [
    name,
    name === 'Via' ? value.replace(/;rport\b/, `;rport=${port};received=${host}`) : value,
  ]),
});

export const expiresIn = (request: PeerMessage): number => Number(headerIn(request, 'Expires'));
export const contactIn = (request: PeerMessage): string => /<([^>]+)>/.exec(headerIn(request, 'Contact'))?.[1] ?? '';
export const cseqIn = (request: PeerMessage): number => Number.parseInt(headerIn(request, 'CSeq'), 10);

/** `onRegister` sees each REGISTER as it comes; without it the test answers. */
export async function startRegistrar(onRegister?: (peer: Peer, request: PeerMessage) => void): Promise<Registrar> {
  const peer = await startPeer((own, request) => {
    if (request.method === 'REGISTER') onRegister?.(own, request);
    else if (request.method === 'OPTIONS') own.answer(request, { status: 200, reason: 'OK' });
  });
  return { ...peer, register: () => peer.next('REGISTER') };
}
