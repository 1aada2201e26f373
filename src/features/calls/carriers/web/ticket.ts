import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret that opens one connection while its maker may still make test calls. Only its hash is kept. */
export type Ticket = { hash: Buffer; stillAllowed: () => Promise<boolean> };

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export function makeTicket(stillAllowed: Ticket['stillAllowed']): { secret: string; ticket: Ticket } {
  const secret = randomBytes(24).toString('base64url');
  return { secret, ticket: { hash: hashOf(secret), stillAllowed } };
}

export const isTicket = ({ hash }: Ticket, secret: string): boolean => timingSafeEqual(hash, hashOf(secret));

export const subprotocol = 'parley.audio.v1';

/** The secret in a `Sec-WebSocket-Protocol` header; undefined if the header does not ask for our protocol with a ticket. */
export function ticketIn(header: string | undefined): string | undefined {
  const names = (header ?? '').split(',').map((name) => name.trim());
  const ticket = names.find((name) => name.startsWith('ticket.'))?.slice('ticket.'.length);
  return names.includes(subprotocol) ? ticket : undefined;
}
