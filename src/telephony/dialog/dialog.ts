import { randomBytes } from 'node:crypto';
import { within } from '../../base/clock.ts';
import { parseAddress, tagOf } from '../message/address.ts';
import { type Header, headerOf, headerValues, noBody, type Request, type Response } from '../message/message.ts';
import { identityOf } from '../message/parse.ts';
import { parseUri } from '../message/uri.ts';
import { branchCookie } from '../message/via.ts';
import { writeMessage } from '../message/write.ts';
import { type Hop, isReliable, type TransportName } from '../transport/hop.ts';
import { readTarget, resolveHops } from '../transport/resolve.ts';
import { type Context, viaOf } from './context.ts';
import { createChallenges } from './challenges.ts';
import type { Dialog } from './dialog-state.ts';

export type OwnSide = Pick<
  Dialog,
  'local' | 'localSeq' | 'hop' | 'localHost' | 'contact' | 'credentials' | 'mayUseTcp'
>;

/** The dialog that a 2xx to our INVITE makes. */
export function dialogOf(response: Response, own: OwnSide): Dialog {
  return {
    ...own,
    callId: headerOf(response, 'Call-ID')!,
    remote: headerOf(response, 'To')!,
    target: contactIn(response) ?? parseAddress(headerOf(response, 'To')!)!.uri,
    routes: headerValues(response, 'Record-Route').toReversed(),
    remoteSeq: null,
  };
}

/** The dialog that our 2xx to a caller's INVITE makes. */
export function incomingDialogOf(
  invite: Request,
  tag: string,
  own: Pick<Dialog, 'hop' | 'localHost' | 'contact' | 'credentials' | 'mayUseTcp'>,
): Dialog {
  const remote = headerOf(invite, 'From')!;
  const { callId, cseq } = identityOf(invite);
  return {
    ...own,
    callId,
    local: `${headerOf(invite, 'To')!};tag=${tag}`,
    remote,
    target: contactIn(invite) ?? parseAddress(remote)!.uri,
    routes: headerValues(invite, 'Record-Route'),
    localSeq: 0,
    remoteSeq: cseq.number,
  };
}

export function contactIn(message: Request | Response): string | undefined {
  const [value] = headerValues(message, 'Contact');
  const uri = value === undefined ? undefined : parseAddress(value)?.uri;
  return uri !== undefined && parseUri(uri) ? uri : undefined;
}

export const remoteTagOf = ({ remote }: Pick<Dialog, 'remote'>): string | undefined => tagOf(parseAddress(remote)!);

const newBranch = (): string => `${branchCookie}${randomBytes(10).toString('hex')}`;

export type RequestParts = { headers?: readonly Header[]; body?: Buffer; seq?: number; branch?: string };

/** A request inside the dialog. Takes the next CSeq number unless `seq` is given, as for an ACK. */
export function requestIn(context: Context, dialog: Dialog, method: string, parts: RequestParts = {}): Request {
  const { headers = [], body = noBody, branch = newBranch() } = parts;
  const seq = parts.seq ?? (dialog.localSeq += 1);
  const { uri, routes } = routed(dialog);
  return {
    method,
    uri,
    headers: [
      viaOf(context, dialog.hop, dialog.localHost, branch),
      ['Max-Forwards', '70'],
      ...routes.map((route): Header => ['Route', route]),
      ['From', dialog.local],
      ['To', dialog.remote],
      ['Call-ID', dialog.callId],
      ['CSeq', `${seq} ${method}`],
      ['User-Agent', context.settings.userAgent],
      ...headers,
    ],
    body,
  };
}

/** Loose routing; a first route without `lr` is a strict router of RFC 2543, which wants itself in the request line. */
function routed({ routes, target }: Dialog): { uri: string; routes: readonly string[] } {
  const [first, ...rest] = routes;
  const uri = first === undefined ? undefined : parseAddress(first)?.uri;
  if (uri === undefined || parseUri(uri)?.parameters.has('lr')) return { uri: target, routes };
  return { uri, routes: [...rest, `<${target}>`] };
}

/** An ACK goes out at once, so that a slow name server must not hold it up. */
const maxLookupMs = 1000;

/**
 * Finds where requests of the dialog go: to its first route, else to the other side's Contact. An address that we may not or cannot reach,
 * such as a private one behind a NAT, leaves the hop from which the answer came.
 */
export async function updateHop(context: Context, dialog: Dialog): Promise<void> {
  const [route] = dialog.routes;
  const uri = route === undefined ? dialog.target : parseAddress(route)?.uri;
  try {
    const named = parseUri(uri ?? '')
      ?.parameters.get('transport')
      ?.toLowerCase() as TransportName | undefined;
    const target = readTarget({ uri: uri ?? '', transport: named ?? dialog.hop.transport });
    const looked = resolveHops(target, context.resolver, Math.random);
    const hops = await within(maxLookupMs, looked, () => []);
    const hop = hops.find(({ address }) => context.isAllowed(address));
    if (hop === undefined || isSameHop(hop, dialog.hop)) return;
    dialog.setUpOver = dialog.hop;
    dialog.hop = hop;
    dialog.localHost = await context.transport.localHost(hop);
  } catch {
    // keeps the hop that has just worked
  }
}

const isSameHop = (a: Hop, b: Hop): boolean =>
  a.transport === b.transport && a.address === b.address && a.port === b.port;

/** Result of a request: its final response, or why there is none. */
export type Result = { response: Response } | { failed: string };

/** Sends a request inside the dialog and answers digest challenges, since proxies ask for credentials in BYE and re-INVITE, too. */
export async function send(context: Context, dialog: Dialog, request: Request): Promise<Result> {
  const challenges = createChallenges(dialog.credentials);
  for (let attempt = request; ;) {
    const result = await exchange(context, dialog, attempt);
    if (!('response' in result) || !challenges.take(result.response)) return result;
    attempt = renewed(context, dialog, request, challenges.headers(request));
  }
}

/** Sends a request by TCP if it is too large for UDP (RFC 3261, section 18.1.1), and the later ones, too; by UDP if that does not work. */
async function exchange(context: Context, dialog: Dialog, request: Request): Promise<Result> {
  const { hop, localHost, mayUseTcp } = dialog;
  const tcp = mayUseTcp ? context.largeRequests.overTcp(hop, writeMessage(request).length) : undefined;
  if (!tcp) return exchangeAnyhow(context, dialog, request);
  dialog.hop = tcp;
  const result = await exchangeOver(context, withVia(context, request, tcp, localHost), tcp);
  if ('response' in result) return result;
  context.largeRequests.refused(tcp);
  dialog.hop = hop;
  return exchangeOver(context, request, hop);
}

/** Uses the connection that the call was set up over where none can be made to the other side's Contact. */
async function exchangeAnyhow(context: Context, dialog: Dialog, request: Request): Promise<Result> {
  const { hop, localHost, setUpOver } = dialog;
  const result = await exchangeOver(context, request, hop);
  if ('response' in result || setUpOver === undefined || !isReliable(hop) || !isReliable(setUpOver)) return result;
  dialog.hop = setUpOver;
  return exchangeOver(context, withVia(context, request, setUpOver, localHost), setUpOver);
}

const withVia = (context: Context, request: Request, hop: Hop, localHost: string): Request => ({
  ...request,
  headers: [viaOf(context, hop, localHost, newBranch()), ...request.headers.filter(([name]) => name !== 'Via')],
});

function exchangeOver(context: Context, request: Request, hop: Hop): Promise<Result> {
  return new Promise((resolve) => {
    context.transactions.request(request, hop, {
      response(response) {
        if (response.status >= 200) resolve({ response });
      },
      failed: (failed) => resolve({ failed }),
    });
  });
}

/** The same request under a new CSeq number and branch. */
function renewed(context: Context, dialog: Dialog, request: Request, authorization: readonly Header[]): Request {
  const own = new Set([
    'Content-Type',
    'Refer-To',
    'Referred-By',
    'Session-Expires',
    'Min-SE',
    'Contact',
    'Supported',
    'Allow',
    'Reason',
  ]);
  const headers = request.headers.filter(([name]) => own.has(name));
  return requestIn(context, dialog, request.method, { headers: [...headers, ...authorization], body: request.body });
}

/** Whether a request of the other side comes in order (RFC 3261, section 12.2.2), and notes its number. */
export function acceptSeq(dialog: Dialog, request: Request): boolean {
  const { number } = identityOf(request).cseq;
  if (dialog.remoteSeq !== null && number < dialog.remoteSeq) return false;
  dialog.remoteSeq = number;
  return true;
}
