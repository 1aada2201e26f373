import type { Agent } from '../../agents/agent.ts';
import type { Call } from '../call.ts';

/** What the voice runtime is told: all that it needs to hold the conversation, and where to report it. */
export const dialMessage = (call: Call, agent: Agent, callbackUrl: string): string =>
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
    callback_url: callbackUrl,
  });

export const hangUpMessage = (call: Call): string => JSON.stringify({ type: 'call.hangup', call_session_id: call.id });
