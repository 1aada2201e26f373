import type { Agent } from '../../../agents/agent.ts';
import type { Call } from '../../call.ts';

/** Where the voice runtime reaches us about a call. */
export type CallAddresses = { events: string; knowledge: string };

/** What the voice runtime is told: all that it needs to hold the conversation, where to report it, and where to look things up. */
export const dialMessage = (call: Call, agent: Agent, { events, knowledge }: CallAddresses): string =>
  JSON.stringify({
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
      // What the call was given when it was made, and what ends it here.
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
 * A function in the form in which models are offered them. The runtime calls it with a POST to `url`, signed like its reports, of the
 * arguments and the `call_session_id`; `data` of the answer is a list of passages.
 */
const knowledgeTool = (url: string) => ({
  name: 'search_knowledge',
  description:
    'Looks up what is known about a question: products, prices, opening hours, rules. Answers passages with their sources, the best ' +
    'first; where the best score is below about 0.5 there is hardly an answer in them.',
  parameters: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'The question, in the words of whoever asks it' },
      limit: { type: 'integer', minimum: 1, maximum: 50, description: 'Passages at most; 5 unless given' },
    },
    required: ['query'],
    additionalProperties: false,
  },
  url,
});

export const hangUpMessage = (call: Call): string => JSON.stringify({ type: 'call.hangup', call_session_id: call.id });
