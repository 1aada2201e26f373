import { operation } from '../../kernel/route.ts';
import { list, object, Type } from '../../kernel/schema.ts';
import { liveOf } from './streams.ts';
import { topicOf } from './topics.ts';

export const watchLive = operation({
  operationId: 'watchLive',
  tag: 'Live',
  summary: 'Follow what happens, as a stream of events',
  query: object({
    topic: list(Type.String({ maxLength: 100 }), {
      minItems: 1,
      maxItems: 8,
      description:
        'Topics to follow: overview, calling, today, calls, deliveries, campaign:<id>, knowledge:<id> or import:<id>. Repeat it for several topics',
    }),
  }),
  download: {
    contentType: 'text/event-stream',
    description:
      'Server-sent events. Each topic is sent whole at once, and again when it changed, at most once a second: `event` is the topic ' +
      'before the colon, `data` is JSON with `topic`, `now` and what the topic shows. A comment comes at least every 15 s, and `event: bye` with a ' +
      'reason before the server ends the stream.',
  },
  errors: ['not_found', 'unavailable'],
  message: 'Stream opened.',
  async handle(app, { caller, query, stillAllowed }) {
    const topics = [...new Set(query.topic)].map((name) => topicOf(app, caller.orgId, name));
    for (const topic of topics) if (topic.isOfOne) await topic.read(); // refuses what does not exist before the stream begins
    const owner = `${caller.orgId} ${caller.via} ${caller.identity} ${caller.sessionId ?? caller.subject}`;
    return { download: liveOf(app).open({ orgId: caller.orgId, owner, topics, stillAllowed }) };
  },
});
