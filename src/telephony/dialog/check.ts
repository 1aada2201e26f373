import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { within } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { noBody, type Request, type Response } from '../message/message.ts';
import { writtenHostPort } from '../message/uri.ts';
import type { ClientTransaction } from '../transaction/layer.ts';
import type { Hop } from '../transport/hop.ts';
import { readTarget, resolveHops, type Target } from '../transport/resolve.ts';
import { type Context, contactOf, refusedAddress, viaOf } from './context.ts';

export type CheckRequest = {
  trunk: Target;
  /** The user of From: the number as the trunk wants it. */
  from: string;
};

/** A trunk's answer to OPTIONS. Any answer shows that it is reachable. */
export type CheckResult = {
  statusCode: number | null;
  /** Where the request went; null if it was not sent. */
  hop: Pick<Hop, 'transport' | 'address' | 'port'> | null;
  durationMs: number;
  detail: string | null;
};

/**
 * The time that a check may take, including the DNS look-ups. It is less than the 5 s in which parley must answer the request for the
 * check.
 */
const limitMs = 4_500;

/** Sends OPTIONS to the first target of a trunk, as a call would reach it. Always resolves within 4.5 s, and sends nothing after that. */
export async function checkTrunk(context: Context, request: CheckRequest): Promise<CheckResult> {
  const startedAt = performance.now();
  const asking: Asking = { hop: null, transaction: undefined, isOver: false };
  const asked = ask(context, request, asking).catch((error: unknown) => messageOf(error));
  const answer = await within(limitMs, asked, () => `no answer within ${limitMs} ms`);
  asking.isOver = true;
  if (typeof answer === 'string') asking.transaction?.abandon();
  const { hop } = asking;
  const durationMs = Math.round(performance.now() - startedAt);
  if (typeof answer === 'string') return { statusCode: null, hop, durationMs, detail: answer };
  return { statusCode: answer.status, hop, durationMs, detail: `SIP ${answer.status} ${answer.reason}`.trimEnd() };
}

type Asking = { hop: Hop | null; transaction: ClientTransaction | undefined; isOver: boolean };

/** The first target of the trunk whose address is allowed; if none is, a sentence that says so. */
async function targetOf(context: Context, trunk: Target): Promise<Hop | string> {
  const hops = await resolveHops(readTarget(trunk), context.resolver, Math.random);
  return (
    hops.find(({ address }) => context.isAllowed(address)) ?? refusedAddress('address of the trunk', hops[0]!.address)
  );
}

async function ask(context: Context, request: CheckRequest, asking: Asking): Promise<Response | string> {
  const hop = await targetOf(context, request.trunk);
  if (typeof hop === 'string') return hop;
  const localHost = await context.transport.localHost(hop);
  const answer = Promise.withResolvers<Response | string>();
  if (asking.isOver) return answer.promise; // nobody waits for it
  asking.hop = hop;
  asking.transaction = context.transactions.request(optionsTo(context, hop, { ...request, localHost }), hop, {
    response: (response) => response.status >= 200 && answer.resolve(response),
    failed: (reason) => answer.resolve(reason),
  });
  return answer.promise;
}

function optionsTo(context: Context, hop: Hop, parts: CheckRequest & { localHost: string }): Request {
  const { trunk, from, localHost } = parts;
  const { host, port } = readTarget(trunk);
  const at = writtenHostPort(host, port);
  return {
    method: 'OPTIONS',
    uri: `sip:${at}`,
    headers: [
      viaOf(context, hop, localHost, `z9hG4bK${randomUUID()}`),
      ['Max-Forwards', '70'],
      ['From', `<sip:${from}@${at}>;tag=${randomUUID()}`],
      ['To', `<sip:${at}>`],
      ['Call-ID', randomUUID()],
      ['CSeq', '1 OPTIONS'],
      ['Contact', contactOf(context, hop, localHost, from)],
      ['Accept', 'application/sdp'],
      ['User-Agent', context.settings.userAgent],
    ],
    body: noBody,
  };
}
