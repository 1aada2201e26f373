import { AppError, invalid } from '../../base/errors.ts';
import type { App } from '../../kernel/app.ts';
import { type Caller, operation } from '../../kernel/route.ts';
import { id, list, object, optional, Type } from '../../kernel/schema.ts';
import { beginningOf } from '../webhooks/followers.ts';
import { eventsTopic } from './feed.ts';
import { liveOf } from './streams.ts';
import { topicOf } from './topics.ts';

const afterFault = { path: 'after', message: `is only for the topic ${eventsTopic}` };

/**
 * Where the topic `events` begins.
 * @throws forbidden for viewers, since the events have what webhooks are sent
 */
async function feedFor(app: App, { orgId, role }: Caller, after: string | undefined): Promise<number | 'gone'> {
  if (role === 'viewer') throw new AppError('forbidden', 'The topic events needs the role member or admin.');
  return (await beginningOf(app, orgId, after)) ?? 'gone';
}

export const watchLive = operation({
  operationId: 'watchLive',
  tag: 'Live',
  summary: 'Follow what happens, as a stream of events',
  query: object({
    topic: list(Type.String({ maxLength: 100 }), {
      minItems: 1,
      maxItems: 8,
      description:
        'Topics to follow: overview, incidents, calling, today, calls, latest, deliveries, call:<id>, campaign:<id>, knowledge:<id>, import:<id> or events. Repeat it for several topics',
    }),
    after: optional(id('event; with the topic events: begin behind this one, which is at most a day old')),
  }),
  download: {
    contentType: 'text/event-stream',
    description:
      'Server-sent events. Each topic is sent whole at once, and again when it changed, at most once a second (a call four times, until `event: ended` says that it is over): `event` is the topic ' +
      'before the colon, `data` is JSON with `topic`, `now` and what the topic shows. A comment comes at least every 15 s, and `event: bye` with a ' +
      'reason before the server ends the stream. The topic `events` sends each webhook event instead, for members and admins: `data` has ' +
      '`event_id`, `type`, `timestamp`, `agent_id` and `body`, the text that webhooks receive.',
  },
  errors: ['forbidden', 'not_found', 'unavailable'],
  message: 'Stream opened.',
  async handle(app, { caller, query, stillAllowed }) {
    const names = new Set(query.topic.map((name) => name.toLowerCase()));
    if (query.after !== undefined && !names.has(eventsTopic)) throw invalid([afterFault]);
    const feed = names.delete(eventsTopic) ? { eventsBehind: await feedFor(app, caller, query.after) } : {};
    const topics = [...names].map((name) => topicOf(app, caller.orgId, name));
    for (const topic of topics) if (topic.isOfOne) await topic.read(); // refuses what does not exist before the stream begins
    const owner = `${caller.orgId} ${caller.via} ${caller.identity} ${caller.sessionId ?? caller.subject}`;
    return { download: liveOf(app).open({ orgId: caller.orgId, owner, topics, ...feed, stillAllowed }) };
  },
});
