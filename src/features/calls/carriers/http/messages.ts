import { stringify } from '../../../../base/json.ts';
import type { Agent } from '../../../agents/agent.ts';
import type { Call } from '../../call.ts';

/** The URLs of this server that the voice runtime calls back. */
export type CallAddresses = { events: string; knowledge: string };

/** The body of `call.dial`: everything that the voice runtime needs to hold the conversation, with the URLs to call back. */
export const dialMessage = (call: Call, agent: Agent, { events, knowledge }: CallAddresses): string =>
  stringify({
    type: 'call.dial',
    call_session_id: call.id,
    agent: {
      id: agent.id,
      name: agent.agentName,
      model: agent.model,
      voice_id: agent.voiceId,
      temperature: agent.temperature,
      prompt: agent.prompt,
      first_message: agent.firstMessage,
      voicemail_message: agent.voicemailMessage,
      // The call's own limit, fixed at its creation: parley ends the call by it even if the agent has changed since.
      max_call_duration_ms: call.maxDurationMs,
      reminder_trigger_ms: agent.reminderTriggerMs,
      emotion: agent.emotion,
      emergency_fallback: agent.emergencyFallback,
      calendar_timezone: agent.calendarTimezone,
      knowledge_base_ids: agent.knowledgeBaseIds,
    },
    from: call.from,
    to: call.to,
    contact: { name: call.callerName, email: call.callerEmail },
    contact_id: call.contactId,
    campaign_id: call.campaignId,
    attempt: call.attempt,
    metadata: call.metadata,
    callback_url: events,
    tools: agent.knowledgeBaseIds.length > 0 ? [knowledgeTool(knowledge)] : [],
  });

/**
 * A tool definition as language models take it. To call it, the runtime POSTs the arguments and the `call_session_id` to `url`, signed
 * like its reports; `data` of the answer is a list of passages.
 */
const knowledgeTool = (url: string) => ({
  name: 'search_knowledge',
  description:
    'Searches the knowledge bases for a question about products, prices, opening hours or rules. Returns passages with their sources, ' +
    'best first; a best score below about 0.5 means that they hardly answer it.',
  parameters: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'The question, in the words of the person who asks it' },
      limit: { type: 'integer', minimum: 1, maximum: 50, description: 'Maximum number of passages; 5 by default' },
    },
    required: ['query'],
    additionalProperties: false,
  },
  url,
});

export const hangUpMessage = (call: Call): string => JSON.stringify({ type: 'call.hangup', call_session_id: call.id });

/** Asks the runtime whether it knows a call. */
export const statusMessage = (url: string, callId: string) =>
  ({ method: 'GET', url: withSegment(url, callId), id: `${callId}-status`, body: '' }) as const;

/** Appends a path segment to a URL and keeps its query. */
function withSegment(address: string, segment: string): string {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${segment}`;
  return url.href;
}
