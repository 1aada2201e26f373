import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Fault, invalid } from '../../base/errors.ts';
import type { Position } from '../../db/pages.ts';
import { type Page, pageOf } from '../../kernel/paging.ts';
import type { Caller, Route } from '../../kernel/route.ts';

type ListRequest = { caller: Caller; params: unknown; query: { limit?: number; offset?: number; after?: string } };

/** The list that a cursor belongs to: one list of an organization with its filters and sort. `key`: see Secrets.cursorKey. */
export type CursorList = Pick<Route, 'operationId'> & ListRequest & { key: Uint8Array };

/** Bytes of the signature in a cursor: enough that nobody guesses one. */
const signatureBytes = 12;

/** The page that a request asks for. @throws invalid for `after` together with `offset`, or from another list, filter or sort */
export function pageFor(route: Route, request: ListRequest, key: Uint8Array): Page {
  const { query, caller } = request;
  const page = pageOf(query, caller.orgId);
  if (query.after === undefined || route.paged !== 'cursor') return page;
  if (query.offset !== undefined) throw invalid(faultsOfBoth);
  return { ...page, after: positionIn(query.after, { operationId: route.operationId, key, ...request }) };
}

const faultsOfBoth: readonly Fault[] = [
  { path: 'after', message: 'cannot be given together with offset' },
  { path: 'offset', message: 'cannot be given together with after' },
];

/** The cursor of a position: opaque to callers, and bound to its list by a signature. */
export function cursorOf(position: Position, list: CursorList): string {
  const text = JSON.stringify(position);
  return `${Buffer.from(text).toString('base64url')}.${signatureOf(text, list).toString('base64url')}`;
}

function positionIn(cursor: string, list: CursorList): Position | null {
  if (cursor === '') return null;
  const [encoded = '', sent = ''] = cursor.split('.');
  const text = Buffer.from(encoded, 'base64url').toString();
  const signature = Buffer.from(sent, 'base64url');
  const isGenuine = signature.length === signatureBytes && timingSafeEqual(signature, signatureOf(text, list));
  if (isGenuine) return JSON.parse(text) as Position;
  const message =
    'is not meta.next of this list with the same filters and sort; send it empty to start from the beginning';
  throw invalid([{ path: 'after', message }]);
}

function signatureOf(position: string, { operationId, caller, params, query, key }: CursorList): Buffer {
  const filters = Object.entries(query)
    .filter(([name]) => name !== 'after' && name !== 'limit' && name !== 'offset')
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const bound = JSON.stringify([operationId, caller.orgId, params, filters, position]);
  return createHmac('sha256', key).update(bound).digest().subarray(0, signatureBytes);
}
