import { findAgent } from '../../../agents/service.ts';
import { isNothingThere } from '../../../numbers/carrier-reach.ts';
import type { Call } from '../../call.ts';
import type { Carrier } from '../carrier.ts';
import { checkHungUp, dialAnswer, knowsAnswer } from './answer.ts';
import { send, sendOnce, wasNotSent } from './client.ts';
import { type CallAddresses, dialMessage, hangUpMessage, statusMessage } from './messages.ts';
import { type HttpSettings, voiceRuntimeOf } from './settings.ts';

/**
 * Hands calls to an external voice runtime (docs/api/calls.md, "HTTP carrier"). Requests and callbacks (event-routes.ts, knowledge-routes.ts) carry
 * Standard Webhooks signatures made with `carrier.http.secret`.
 *
 * - `POST url` with `{type: "call.dial", …}`; `Idempotency-Key` = `webhook-id` = `call_session_id`. The runtime accepts the call with 409,
 *   or with 2xx and either an empty body or `{"accepted": true}`. It refuses this one call with `{"accepted": false, reason,
 *   invalid_number?}` or another 4xx. 429 means that it takes no calls at the moment. After anything else it counts as out of reach;
 *   it may have the call, so `knows` asks before the call is dialed again.
 * - `GET url/<call_session_id>`: 2xx if the runtime knows the call, 404 if not.
 * - `POST url` with `{type: "call.hangup", call_session_id}`: 2xx, or 404, 409 or 410 if there is nothing to hang up.
 */
export function httpCarrier(settings: HttpSettings, publicUrl: () => string): Carrier {
  return {
    maxRequestMs: 2 * settings.timeout_ms, // the last quick retry starts within one time-out and may take another
    async dial(app, call) {
      const agent = await findAgent(app.db, call.orgId, call.agentId);
      if (!agent) return { accepted: false, reason: 'The agent was deleted before the call was dialed.' };
      const runtime = voiceRuntimeOf(settings);
      const body = dialMessage(call, agent, addressesOf(publicUrl(), call));
      try {
        const message = { method: 'POST', url: runtime.url, id: call.id, body } as const;
        return dialAnswer(await sendOnce(app, runtime, message));
      } catch (error) {
        if (!wasNotSent(error)) throw error;
        const reason = `The carrier could not be reached: ${error.message}`;
        return { accepted: false, outOfReach: true, reason, nothingThere: isNothingThere(error) };
      }
    },
    async knows(app, callId) {
      const runtime = voiceRuntimeOf(settings);
      return knowsAnswer(await send(app, runtime, statusMessage(runtime.url, callId)));
    },
    async hangUp(app, call) {
      // The id of a hang-up message differs from that of the dial message, because receivers drop a message whose id they have seen.
      const runtime = voiceRuntimeOf(settings);
      const body = hangUpMessage(call);
      const message = { method: 'POST', url: runtime.url, id: `${call.id}-hangup`, body } as const;
      checkHungUp(await send(app, runtime, message));
    },
  };
}

const addressesOf = (publicUrl: string, { id }: Call): CallAddresses => ({
  events: `${publicUrl}/api/v1/calls/${id}/events`,
  knowledge: `${publicUrl}/api/v1/calls/${id}/knowledge`,
});
