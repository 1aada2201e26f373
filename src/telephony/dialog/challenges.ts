import { randomBytes } from 'node:crypto';
import { authorization, type Challenge, chooseChallenge, type Credentials } from '../message/digest.ts';
import { type Header, headerLines, type Request, type Response } from '../message/message.ts';

/** Of one request, together: a proxy may ask, then the trunk behind it, and one of them again because its nonce was too old. */
const maxAnswers = 3;

type Answered = { name: string; challenge: Challenge; uses: number };

/** The challenges that one request has met. Each realm is answered once, and again only when its nonce was too old. */
export type Challenges = {
  /** Takes the challenge of a 401 or 407; false when it cannot be answered, or the credentials were refused. */
  take(response: Response): boolean;
  /** The answers to all challenges so far, for the next attempt at the request. */
  headers(request: Pick<Request, 'method' | 'uri'>): Header[];
};

export function createChallenges(credentials: Credentials | null): Challenges {
  const answered = new Map<string, Answered>();
  let count = 0;
  return {
    take(response) {
      const isProxy = response.status === 407;
      if ((response.status !== 401 && !isProxy) || credentials === null || count >= maxAnswers) return false;
      const challenge = chooseChallenge(headerLines(response, isProxy ? 'Proxy-Authenticate' : 'WWW-Authenticate'));
      if (!challenge) return false;
      const name = isProxy ? 'Proxy-Authorization' : 'Authorization';
      const key = `${name} ${challenge.realm}`;
      if (answered.has(key) && !challenge.stale) return false;
      answered.set(key, { name, challenge, uses: 0 });
      count += 1;
      return true;
    },
    headers: ({ method, uri }) =>
      [...answered.values()].map((one): Header => {
        one.uses += 1;
        const cnonce = randomBytes(8).toString('hex');
        return [one.name, authorization(one.challenge, credentials!, { method, uri, cnonce, count: one.uses })];
      }),
  };
}
