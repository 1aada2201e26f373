import { conflict, invalidAt } from '../../../../base/errors.ts';
import { operation, type Operation } from '../../../../kernel/route.ts';
import { id, list, object } from '../../../../kernel/schema.ts';
import { findAgent } from '../../../agents/service.ts';
import { queryKnowledge } from '../../../knowledge/query.ts';
import { existingBases } from '../../../knowledge/bases/service.ts';
import { passageSchema, queryFields } from '../../../knowledge/wire.ts';
import { callOfRuntime } from './own-call.ts';
import type { HttpSettings } from './settings.ts';
import { checkCallback } from './signature.ts';

export const queryCallKnowledge = (settings: HttpSettings): Operation =>
  operation({
    operationId: 'queryCallKnowledge',
    tag: 'Calls',
    summary: 'Search the knowledge bases of the agent during a call; for the voice runtime of the carrier http',
    verifySignature: (app, header) => checkCallback(settings, app, header),
    params: object({ id: id('call') }),
    body: object(
      {
        call_session_id: id('The call in the path, repeated because the signature covers only the body'),
        ...queryFields,
      },
      { title: 'CallKnowledgeQuery' },
    ),
    example: {
      call_session_id: '019cadc6-9a80-7001-a45e-788430a62e9c',
      query: 'How long may I return what I bought?',
      limit: 3,
    },
    data: list(passageSchema),
    readOnly: true,
    ownTransactions: true,
    errors: ['conflict'],
    message: 'Passages found.',
    async handle(app, { params, body }) {
      if (body.call_session_id !== params.id) {
        throw invalidAt('call_session_id', 'is not the call in the path');
      }
      const call = await callOfRuntime(app.db, params.id);
      if (call.state === 'ended') throw conflict('The call has ended; only a live call can search.');
      const agent = await findAgent(app.db, call.orgId, call.agentId);
      const baseIds = await existingBases(app.db, call.orgId, agent?.knowledgeBaseIds ?? []);
      return { data: await queryKnowledge(app, call.orgId, [...baseIds], body.query, body.limit) };
    },
  });
