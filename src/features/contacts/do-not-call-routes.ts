import { isoOf } from '../../base/clock.ts';
import { phonePartOf, search, searchTextIn } from '../../kernel/filters.ts';
import { pageReply } from '../../kernel/paging.ts';
import { operation } from '../../kernel/route.ts';
import { integer, list, nullable, object, optional, phone, text, timestamp, Type } from '../../kernel/schema.ts';
import { actorOf } from '../requests/audit.ts';
import * as doNotCall from './do-not-call.ts';
import { importDoNotCall as importNumbers } from './import/do-not-call-import.ts';
import { maxListed } from './import/outcome.ts';
import { importQuery, requireFile, rowReason, uploadSpec } from './import/wire.ts';

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
  forbidsCalls: true,
  message: 'Do-not-call list updated.',
  additionalFaults: (_app, { body }) => (body.phone && body.phones ? doNotCall.doNotCallFaults(body) : []),
  handle: async (app, { caller, body }) => ({
    data: { added: await doNotCall.addDoNotCall(app, caller.orgId, body, actorOf(caller)) },
  }),
});

export const importDoNotCall = operation({
  operationId: 'importDoNotCall',
  tag,
  summary: 'Add the phone numbers of a CSV or XLSX file to the do-not-call list',
  upload: {
    ...uploadSpec,
    description:
      'CSV or XLSX (its first sheet). The numbers are read from every column that is named like a phone; a file without a header, and one ' +
      'with a single column of any name, is read as well. Numbers are understood as in an import of contacts.',
  },
  example: 'phone\n+4930901820\n',
  query: object({
    default_country: importQuery.default_country,
    charset: importQuery.charset,
    reason: optional(
      Type.String({ maxLength: 500, description: 'Why they are not to be called, the same for all numbers' }),
    ),
  }),
  data: object({
    added: integer({ minimum: 0, description: 'Phone numbers that were not on the list before' }),
    already: integer({ minimum: 0, description: 'Phone numbers that were, or that an earlier row has' }),
    rejected: list(rowReason, {
      maxItems: maxListed,
      description: `The first ${maxListed} rows without a number that can be read`,
    }),
    rejected_count: integer({ minimum: 0, description: 'All such rows' }),
  }),
  ownTransactions: true,
  forbidsCalls: true,
  message: 'Do-not-call list updated.',
  async handle(app, { caller, query, upload }) {
    requireFile(upload);
    const data = await importNumbers(app, caller.orgId, upload, {
      country: query.default_country?.toUpperCase() ?? null,
      charset: query.charset ?? null,
      reason: query.reason ?? null,
    });
    const message = `${data.added} phone numbers added, ${data.already} were on the list already, ${data.rejected_count} rows rejected.`;
    return { data, message };
  },
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
