import { findAgent } from '../../../agents/service.ts';
import type { Call } from '../../call.ts';
import type { Carrier } from '../carrier.ts';
import { checkHungUp, dialAnswer, knowsAnswer } from './answer.ts';
import { isUnheard, send } from './client.ts';
import { type CallAddresses, dialMessage, hangUpMessage } from './messages.ts';
import { type HttpSettings, voiceRuntimeOf } from './settings.ts';

/**
 * The carrier that hands calls to an external voice runtime (contract, section 7). Requests carry Standard Webhooks signatures with
 * `carrier.http.secret`; so do the callbacks to `callback_url` (event-routes.ts).
 *
 * - `POST url` `{type: "call.dial", …}`, `Idempotency-Key` = `webhook-id` = `call_session_id`: 2xx with nothing or
 *   `{"accepted": true}`, or 409, takes the call; `{"accepted": false, reason, invalid_number?}` or another 4xx refuses it; 429
 *   asks for another try; anything else leaves it open, and the runtime is asked:
 * - `GET url/<call_session_id>`: 2xx knows the call, 404 does not.
 *   A dial whose agent has knowledge bases offers `tools`, which the runtime calls back signed in the same way (knowledge-routes.ts).
 * - `POST url` `{type: "call.hangup", call_session_id}`: 2xx, or 404, 409 and 410 where there is nothing to hang up.
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
        return dialAnswer(await send(app, runtime, message));
      } catch (error) {
        if (!isUnheard(error)) throw error;
        return { accepted: false, dialAgain: true, reason: `The carrier could not be reached: ${error.message}` };
      }
    },
    async knows(app, callId) {
      const runtime = voiceRuntimeOf(settings);
      const message = { method: 'GET', url: under(runtime.url, callId), id: `${callId}-status`, body: '' } as const;
      return knowsAnswer(await send(app, runtime, message));
    },
    async hangUp(app, call) {
      // An id of its own: receivers drop a second message that has the id of the first.
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

/** The address one segment below, with whatever query it has. */
function under(address: string, segment: string): string {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${segment}`;
  return url.href;
}
