import { transact } from '../../../db/transaction.ts';
import { operation } from '../../../kernel/route.ts';
import { id, integer, list, object, optional } from '../../../kernel/schema.ts';
import { actorOf, appendAudit } from '../../requests/audit.ts';
import * as service from './service.ts';

const tag = 'Calls';
const callPath = object({ id: id('call') });

export const getCallRecording = operation({
  operationId: 'getCallRecording',
  tag,
  summary: 'Get the recording of a call, or a part of it; each request is in the audit log',
  params: callPath,
  download: {
    contentType: 'audio/wav',
    description:
      'Two channels (left the other party, right the agent) of 8 kHz G.711 from the answer on. Ranges are supported.',
  },
  message: 'Recording fetched.',
  errors: ['not_found'],
  async handle(app, { caller, params, requestId, ip }) {
    const { codec: _codec, ...sound } = await service.openRecording(app, caller.orgId, params.id);
    const entry = {
      orgId: caller.orgId,
      actor: actorOf(caller),
      operation: 'getCallRecording',
      target: { id: params.id },
      requestId,
      ip,
    };
    await transact(app.db, caller.orgId, (tx) => appendAudit(app, tx, entry));
    return { download: { fileName: `${params.id}.wav`, ...sound } };
  },
});

const loudness = () => list(integer({ minimum: 0, maximum: 255 }), { maxItems: 2000 });

export const getCallEnvelope = operation({
  operationId: 'getCallEnvelope',
  tag,
  summary: "Get how loud both sides of a call's recording are over time",
  params: callPath,
  query: object({
    points: optional(
      integer({ minimum: 100, maximum: 2000, default: 500, description: 'How many values of each side' }),
    ),
  }),
  data: object({ duration_ms: integer(), person: loudness(), agent: loudness() }),
  message: 'Envelope fetched.',
  errors: ['not_found'],
  async handle(app, { caller, params, query }) {
    const envelope = await service.envelopeOf(app, caller.orgId, params.id, query.points ?? 500);
    return { data: { duration_ms: envelope.durationMs, person: envelope.person, agent: envelope.agent } };
  },
});

export const deleteCallRecording = operation({
  operationId: 'deleteCallRecording',
  tag,
  summary: 'Delete the recording of a call that has ended',
  params: callPath,
  data: object({ id: id('call') }),
  message: 'Recording deleted.',
  errors: ['not_found', 'conflict'],
  ownTransactions: true,
  async handle(app, { caller, params }) {
    await service.deleteRecording(app, caller.orgId, params.id);
    return { data: { id: params.id } };
  },
});
