import { createHmac } from 'node:crypto';

/**
 * Makes the Call-ID, tags and branches of a call from its id and a secret of the data directory. After a process was killed, its successor
 * can therefore continue with the dialogs of that process, and recognizes a late 200 as the answer to one of its INVITEs.
 */
export type Tokens = {
  callId(callSessionId: string): string;
  fromTag(callSessionId: string): string;
  /** The branch of the INVITE with this CSeq number, sent to the target with this index. */
  branch(callSessionId: string, cseq: number, hopIndex: number): string;
  /** The call of a dialog that this installation began; undefined for any other. */
  callOf(callId: string, fromTag: string | undefined): string | undefined;
  /** Our tag in the dialog of a call that came in, whose Call-ID is the caller's. */
  incomingTag(callSessionId: string, callId: string): string;
  /** The call of a dialog that a caller began and this installation answered; undefined for any other. */
  incomingCallOf(callId: string, ourTag: string | undefined): string | undefined;
};

const uuidChars = 36;
const tokenChars = 20;
/** A call's id, a hyphen and a token. A scanner's names have other lengths, so that they cost no hash. */
const nameChars = uuidChars + 1 + tokenChars;

export function createTokens(secret: string): Tokens {
  const token = (...parts: Array<string | number>): string =>
    createHmac('sha256', secret).update(parts.join('\n')).digest('hex').slice(0, tokenChars);
  const callId = (id: string): string => `${id}-${token('call-id', id)}`;
  const fromTag = (id: string): string => token('from-tag', id);
  const incomingTag: Tokens['incomingTag'] = (id, header) => `${id}-${token('to-tag', id, header)}`;
  return {
    callId,
    fromTag,
    branch: (id, cseq, hopIndex) => `z9hG4bK${token('branch', id, cseq, hopIndex)}`,
    callOf(header, tag) {
      if (header.length !== nameChars) return undefined;
      const id = header.slice(0, uuidChars);
      return header === callId(id) && tag === fromTag(id) ? id : undefined;
    },
    incomingTag,
    incomingCallOf(header, ours = '') {
      if (ours.length !== nameChars) return undefined;
      const id = ours.slice(0, uuidChars);
      return ours === incomingTag(id, header) ? id : undefined;
    },
  };
}
