import type { App } from '../../../../kernel/app.ts';
import type { AgentInCall, EngineName } from '../../../../talking/speech/engine.ts';
import type { SpeechSettings } from '../../../../talking/speech/settings.ts';
import type { Agent } from '../../../agents/agent.ts';
import { findAgent } from '../../../agents/service.ts';
import { findContact } from '../../../contacts/service.ts';
import type { Call } from '../../call.ts';
import { toolsOf } from '../../tools/tool.ts';
import { filledIn, valuesFor } from './texts.ts';

type Configured = { engine: EngineName; model: string | null; voice: string | null; language: string | null };

/** What the speech services call the agent's model and voice. */
function configured(app: App, { engine: usual, llm }: SpeechSettings, agent: Agent): Configured {
  const models = app.config.catalog.models;
  const model = models.find(({ llm_model: name }) => name === agent.model);
  const voice = models.flatMap(({ voices }) => voices).find(({ id }) => id === agent.voiceId);
  const engine = model?.speech ?? usual ?? 'echo'; // null only where no call is placed: the start requires it
  const named = model?.provider_model ?? agent.model;
  return {
    engine,
    model: engine === 'echo' ? null : engine === 'cascade' ? (llm.model ?? named) : named,
    voice: voice?.provider_voice ?? voice?.voice_name ?? null,
    language: voice?.language.split('-')[0]?.toLowerCase() ?? null,
  };
}

/** A test call reaches no mailbox, and the engine echo is for trying a line, with tones as well. */
const mayBeMailbox = ({ engine }: Configured, { direction, channel }: Call): boolean =>
  direction === 'outbound' && channel !== 'web' && engine !== 'echo';

/** Nobody can say a text without a word, so it counts as none. */
const orNone = (text: string | null): string | null => (text?.trim() === '' ? null : text);

/**
 * What the agent of a call is, for the thread that speaks.
 * @throws Error when the agent was deleted
 */
export async function agentInCall(app: App, settings: SpeechSettings, call: Call): Promise<AgentInCall> {
  const agent = await findAgent(app.db, call.orgId, call.agentId);
  if (!agent) throw new Error('the agent of the call does not exist any more');
  const contact = call.contactId === null ? undefined : await findContact(app.db, call.orgId, call.contactId);
  const values = valuesFor({ call }, contact);
  const configuration = configured(app, settings, agent);
  return {
    ...configuration,
    temperature: agent.temperature,
    emotion: agent.emotion,
    prompt: filledIn(agent.prompt, values),
    firstMessage: orNone(filledIn(agent.firstMessage, values)),
    voicemailMessage: orNone(filledIn(agent.voicemailMessage, values)),
    recordingNotice: agent.recordCalls ? agent.recordingNotice : null,
    detectsVoicemail: mayBeMailbox(configuration, call) && agent.voicemailDetection,
    tools: await toolsOf(app, agent, call),
    reminderTriggerMs: agent.reminderTriggerMs,
    silenceTimeoutMs: agent.silenceTimeoutMs,
    emergencyFallback: agent.emergencyFallback,
  };
}
