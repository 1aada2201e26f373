import { invalid } from '../../base/errors.ts';
import { isoOf, isoOrNull } from '../../base/clock.ts';
import { pageReply } from '../../kernel/paging.ts';
import { operation } from '../../kernel/route.ts';
import { boolean, id, integer, list, nullable, object, oneOf, optional, timestamp, Type } from '../../kernel/schema.ts';
import { type Notice, noticeKinds } from './notice.ts';
import * as service from './service.ts';

const noticeSchema = object(
  {
    id: id('notice'),
    kind: oneOf(noticeKinds, { description: 'Topic of the notice' }),
    subject: Type.String(),
    body: Type.String(),
    created_at: timestamp(),
    sent_at: nullable(timestamp('When its e-mail was sent')),
    last_error: nullable(Type.String({ description: 'Why the last attempt to send its e-mail failed' })),
    read_at: nullable(timestamp('When somebody of the organization marked it as read')),
  },
  { title: 'Notice' },
);

const presentNotice = (notice: Notice) => ({
  id: notice.id,
  kind: notice.kind,
  subject: notice.subject,
  body: notice.body,
  created_at: isoOf(notice.createdAt),
  sent_at: isoOrNull(notice.sentAt),
  last_error: notice.lastError,
  read_at: isoOrNull(notice.readAt),
});

export const listNotices = operation({
  operationId: 'listNotices',
  tag: 'Notices',
  summary: 'List notices to the organization, newest first',
  paged: true,
  data: list(noticeSchema),
  message: 'Notices fetched.',
  async handle(app, { caller, page }) {
    return pageReply(await service.listNotices(app, caller.orgId, page), presentNotice);
  },
});

const eitherIdsOrAll = 'provide either ids, or all: true';

export const readNotices = operation({
  operationId: 'readNotices',
  tag: 'Notices',
  summary: 'Mark notices as read: some by id, or all',
  body: object(
    {
      ids: optional(list(id('notice'), { minItems: 1, maxItems: 1000 })),
      all: optional(boolean({ default: false, description: 'true in place of ids: all notices of the organization' })),
    },
    { title: 'ReadNotices' },
  ),
  example: { all: true },
  data: object({ read: integer({ minimum: 0, description: 'How many of the notices were unread before' }) }),
  message: 'Notices marked as read.',
  ownTransactions: true,
  async handle(app, { caller, body: { ids, all = false } }) {
    if ((ids !== undefined) === all) throw invalid(['ids', 'all'].map((path) => ({ path, message: eitherIdsOrAll })));
    const read = ids ? await service.markRead(app, caller.orgId, ids) : await service.markAllRead(app, caller.orgId);
    return { data: { read } };
  },
});
