import { callCompleted, callCompletedSchema } from '../../features/webhooks/payload.ts';
import type { NamedSchemas } from './named-schemas.ts';
import { exampleOf } from './examples.ts';
import { parameterRef, signatureHeaders } from './headers.ts';

type Json = Record<string, unknown>;

/** The event that is sent to an agent's webhook URLs (docs/api/webhooks.md). */
export function webhooks(namedSchemas: NamedSchemas): Json {
  const { test: _, ...example } = exampleOf(callCompletedSchema, 'all') as Json;
  return {
    [callCompleted]: {
      post: {
        operationId: 'onCallCompleted',
        tags: ['Webhooks'],
        summary: 'Sent when a call has ended',
        description:
          'Sent to every webhook URL of the agent, at least once. Repeated deliveries of an event have the same `webhook-id` and ' +
          '`data.call_id`. Respond with any 2xx status within 30 seconds; redirects are not followed. Failed deliveries are retried ' +
          'after 30 seconds, 2 minutes, 10 minutes and 1 hour. The fifth failure pauses the endpoint, and the delivery is tried once ' +
          'more 6 hours later.',
        security: [{ signature: [] }],
        parameters: signatureHeaders.map(parameterRef),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: namedSchemas.reference(callCompletedSchema), example } },
        },
        responses: {
          '2XX': { description: 'The event was received.' },
          '410': { description: 'Pauses the endpoint at once.' },
          default: { description: 'The delivery is retried later.' },
        },
      },
    },
  };
}
