import { conflict } from '../../../base/errors.ts';
import { carrierOf } from '../carriers/placing.ts';
import type { CallTool } from './tool.ts';

const parameters = {
  type: 'object',
  properties: { reason: { type: 'string', maxLength: 500, description: 'Why the call is handed on' } },
  additionalProperties: false,
};

/** Hands the call to the agent's `transferPhone`, never to a number that the model names. */
export const transferCall: CallTool = {
  name: 'transfer_call',
  define: (_app, { transferPhone }) =>
    Promise.resolve(
      transferPhone === null
        ? null
        : {
            name: 'transfer_call',
            description:
              'Hands the call on to a person. Say that you do so before you call this. If it fails, the call goes on and you are told why.',
            parameters,
          },
    ),
  async run(app, { call, agent }) {
    if (call.channel === 'web') throw conflict('this is a test call');
    const { control } = carrierOf(app, call);
    if (!control || agent.transferPhone === null) throw conflict('this call cannot be handed on');
    const result = await control.transfer(app, call, agent.transferPhone);
    if (!result.done) throw conflict(result.reason);
    return { transferred: true };
  },
};
