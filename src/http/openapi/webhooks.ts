import { callCompleted, callCompletedSchema } from '../../features/webhooks/payload.ts';
import type { Shapes } from './components.ts';
import { exampleOf } from './examples.ts';
import { parameterOf, signatureHeaders } from './headers.ts';

type Json = Record<string, unknown>;

/** What is sent to the URLs of an agent (interface, Events; contract, section 11). */
export function webhooks(shapes: Shapes): Json {
  const { test: _, ...example } = exampleOf(callCompletedSchema, 'all') as Json;
  return {
    [callCompleted]: {
      post: {
        operationId: 'onCallCompleted',
        tags: ['Webhooks'],
        summary: 'Sent when a call has ended',
        description:
          'POSTed to each webhook URL of the agent, at least once; the same event has the same `webhook-id` and `data.call_id`. ' +
          'Any 2xx within 30 seconds is success; redirects are not followed. A failure is tried again after 30 seconds, 2 minutes, ' +
          '10 minutes and 1 hour; at the fifth the endpoint is paused, and the delivery is tried once more 6 hours later.',
        security: [{ signature: [] }],
        parameters: signatureHeaders.map(parameterOf),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: shapes.reference(callCompletedSchema), example } },
        },
        responses: {
          '2XX': { description: 'Taken' },
          '410': { description: 'Gone: the endpoint is paused at once' },
          default: { description: 'Tried again later' },
        },
      },
    },
  };
}
