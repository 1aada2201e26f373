import { isoOf } from '../../base/clock.ts';
import { phonePartOf, search, searchTextIn } from '../../kernel/filters.ts';
import { pageReply } from '../../kernel/paging.ts';
import { operation } from '../../kernel/route.ts';
import { integer, list, nullable, object, optional, phone, text, timestamp, Type } from '../../kernel/schema.ts';
import { actorOf } from '../requests/audit.ts';
import * as doNotCall from './do-not-call.ts';

const tag = 'Do not call';

export const listDoNotCall = operation({
  operationId: 'listDoNotCall',
  tag,
  summary: 'List the phone numbers on the do-not-call list, newest first',
  query: object({ q: search('Part of the phone number; spaces and punctuation do not matter') }),
  paged: true,
  data: list(object({ phone: Type.String(), reason: nullable(Type.String()), created_at: timestamp() })),
  message: 'Do-not-call list fetched.',
  async handle(app, { caller, query, page }) {
    const part = phonePartOf(query.q) ?? searchTextIn(query.q);
    return pageReply(await doNotCall.listDoNotCall(app, caller.orgId, page, part), (entry) => ({
      phone: entry.phone,
      reason: entry.reason,
      created_at: isoOf(entry.createdAt),
    }));
  },
});

export const addDoNotCall = operation({
  operationId: 'addDoNotCall',
  tag,
  summary: 'Add one or more phone numbers to the do-not-call list',
  body: object({
    phone: optional(phone()),
    phones: optional(list(phone(), { minItems: 1, maxItems: 10_000 })),
    reason: optional(nullable(text(500))),
  }),
  ownTransactions: 'large',
  example: { phones: ['+4930901820'], reason: 'Asked not to be called' },
  data: object({ added: integer({ minimum: 0, description: 'Phone numbers that were not on the list before' }) }),
  message: 'Do-not-call list updated.',
  additionalFaults: (_app, { body }) => (body.phone && body.phones ? doNotCall.doNotCallFaults(body) : []),
  handle: async (app, { caller, body }) => ({
    data: { added: await doNotCall.addDoNotCall(app, caller.orgId, body, actorOf(caller)) },
  }),
});

export const removeDoNotCall = operation({
  operationId: 'removeDoNotCall',
  tag,
  summary: 'Remove a phone number from the do-not-call list',
  params: object({ phone: phone() }),
  message: 'Phone number removed from the do-not-call list.',
  async handle(app, { caller, params }) {
    await doNotCall.removeDoNotCall(app, caller.orgId, params.phone);
    return {};
  },
});
