import { isoOf } from '../../../../base/clock.ts';
import { notFound } from '../../../../base/errors.ts';
import { operation } from '../../../../kernel/route.ts';
import { boolean, id, metadata, object, optional, timestamp, Type } from '../../../../kernel/schema.ts';
import { findAgent } from '../../../agents/service.ts';
import type { WebChannel } from './channel.ts';
import { placeTestCall } from './place.ts';
import type { WebSettings } from './settings.ts';

export const createTestCall = (settings: WebSettings, running: () => WebChannel) =>
  operation({
    operationId: 'createTestCall',
    tag: 'Calls',
    summary: 'Begin a test call with an agent, whose sound a browser or a program sends and plays',
    params: object({ id: id('agent') }),
    body: object({
      contact_id: optional(id('contact')),
      metadata: optional(metadata()),
      webhook: optional(
        boolean({ description: 'Sends call.completed to the webhooks of the agent; false by default' }),
      ),
    }),
    bodyOptional: true,
    example: {},
    data: object({
      call_session_id: id('call'),
      audio_url: Type.String({
        description: 'WebSocket for the sound, with the subprotocols parley.audio.v1 and ticket.<ticket>',
      }),
      ticket: Type.String({ description: 'Opens one connection' }),
      expires_at: timestamp('Until when the ticket opens it'),
    }),
    message: 'Test call begun.',
    errors: ['not_found', 'conflict'],
    answersSecret: true,
    ownTransactions: true,
    async handle(app, { caller, params, body, stillAllowed }) {
      if (!(await findAgent(app.db, caller.orgId, params.id))) throw notFound('agent');
      const channel = running();
      channel.requireRoom();
      const call = await placeTestCall(app, settings, caller.orgId, {
        agentId: params.id,
        ...(body.contact_id === undefined ? {} : { contactId: body.contact_id }),
        ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
        sendsEvent: body.webhook ?? false,
      });
      const { secret: ticket, forMs } = channel.expect(call, stillAllowed);
      return {
        data: {
          call_session_id: call.id,
          audio_url: `${app.baseUrl().replace(/^http/, 'ws')}/api/v1/calls/${call.id}/audio`,
          ticket,
          expires_at: isoOf(app.clock.now() + forMs),
        },
      };
    },
  });
