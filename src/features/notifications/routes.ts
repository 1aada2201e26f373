import { isoOf, isoOrNull } from '../../base/clock.ts';
import { operation } from '../../kernel/route.ts';
import { id, list, nullable, object, timestamp, Type } from '../../kernel/schema.ts';
import type { Notice } from './notice.ts';
import * as service from './service.ts';

const noticeSchema = object(
  {
    id: id('notice'),
    kind: Type.String({ description: 'Topic, such as webhook.endpoint_failing' }),
    subject: Type.String(),
    body: Type.String(),
    created_at: timestamp(),
    sent_at: nullable(timestamp('When its e-mail was sent')),
    last_error: nullable(Type.String({ description: 'Why the last attempt to send its e-mail failed' })),
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
});

export const listNotices = operation({
  operationId: 'listNotices',
  tag: 'Notices',
  summary: 'List notices to the organization, newest first',
  paged: true,
  data: list(noticeSchema),
  message: 'Notices fetched.',
  async handle(app, { caller, page }) {
    const { items, total } = await service.listNotices(app, caller.orgId, page);
    return { data: items.map(presentNotice), total };
  },
});
