import { drainingReason, startingReason } from '../health.ts';
import { object, oneOf, type TSchema, Type } from '../../kernel/schema.ts';
import { errorResponses } from './error-responses.ts';
import { exampleOf } from './examples.ts';
import { headerRef, parameterRef } from './headers.ts';
import type { Parts } from './operation.ts';

type Json = Record<string, unknown>;

/** A health probe: answered without the envelope, and in every state of the server. */
const probe = (
  parts: Parts,
  texts: { operationId: string; summary: string; description: string },
  answers: ReadonlyArray<readonly [string, string, TSchema]>,
): Json => ({
  ...texts,
  tags: ['System'],
  security: [],
  parameters: [parameterRef('RequestId')],
  responses: {
    ...Object.fromEntries(
      answers.map(([status, description, schema]) => [
        status,
        {
          description,
          headers: { 'X-Request-Id': headerRef('RequestId') },
          content: { 'application/json': { schema, example: exampleOf(schema, 'all') } },
        },
      ]),
    ),
    ...errorResponses(['expectation_failed', 'headers_too_large'], parts.responses),
  },
});

export const probeOperations = (parts: Parts) => ({
  readiness: probe(
    parts,
    {
      operationId: 'getReadiness',
      summary: 'Check whether the server accepts requests',
      description: 'For load balancers and supervisors. Needs no credentials and has no envelope.',
    },
    [
      ['200', 'The server accepts requests.', object({ status: oneOf(['ready']) })],
      [
        '503',
        'The server is starting, draining or degraded.',
        Type.Union([
          object({ status: oneOf(['starting']), reason: oneOf([startingReason]) }),
          object({ status: oneOf(['draining']), reason: oneOf([drainingReason]) }),
          object({
            status: oneOf(['degraded']),
            reason: Type.String({ description: 'That the storage refuses writes, and its own message' }),
          }),
        ]),
      ],
    ],
  ),
  liveness: probe(
    parts,
    {
      operationId: 'getLiveness',
      summary: 'Check whether the process is running',
      description: 'A process that does not answer should be restarted. Needs no credentials and has no envelope.',
    },
    [['200', 'The process is running.', object({ status: oneOf(['alive']) })]],
  ),
});

export const metrics = (parts: Parts): Json => ({
  operationId: 'getMetrics',
  tags: ['System'],
  summary: 'Get metrics for Prometheus',
  description:
    'Requires the role `admin`, or the token of the setting `metrics.token` as a bearer token. Has no envelope.',
  security: [{ apiKey: [] }, { bearer: [] }, { session: [] }],
  parameters: [parameterRef('RequestId')],
  responses: {
    '200': {
      description: 'The metrics in the text format 0.0.4 of Prometheus.',
      headers: { 'X-Request-Id': headerRef('RequestId') },
      content: {
        'text/plain': { schema: { type: 'string' }, example: '# TYPE parley_ready gauge\nparley_ready 1\n' },
      },
    },
    ...errorResponses(
      [
        'unauthenticated',
        'forbidden',
        'rate_limited',
        'expectation_failed',
        'headers_too_large',
        'internal',
        'unavailable',
      ],
      parts.responses,
    ),
  },
});
