import type { App } from '../../../kernel/app.ts';
import { complete } from '../../../talking/speech/cascade/completion.ts';
import { completeInRealtime } from '../../../talking/speech/realtime/text.ts';
import type { ToolDefinition } from '../../../talking/speech/engine.ts';
import type { SpeechSettings } from '../../../talking/speech/settings.ts';
import type { Agent } from '../../agents/agent.ts';
import type { Call } from '../call.ts';
import { type Complete, completionEngine, type Texts } from './completion.ts';
import type { ConversationEngine, Engine } from './conversation.ts';
import { simulatedEngine } from './simulated.ts';

type Input = { agent: Agent; call: Call; texts: Texts; tools: readonly ToolDefinition[] };

/**
 * What answers in a conversation: the model of `speech.llm` where one is set, else the realtime service where it speaks in calls, else
 * nobody, which works offline.
 */
export function engineFor(app: App, input: Input): { name: ConversationEngine; engine: Engine } {
  const { speech } = app.config as App['config'] & { speech?: SpeechSettings };
  const { agent, texts } = input;
  const hasLlm = speech !== undefined && speech.llm.url !== null;
  if (!hasLlm && speech?.engine !== 'realtime')
    return { name: 'simulated', engine: simulatedEngine(app, agent, texts.firstMessage) };
  const named = app.config.catalog.models.find(({ llm_model: name }) => name === agent.model)?.provider_model;
  const spoken = named ?? agent.model;
  if (hasLlm) {
    const model = speech.llm.model ?? spoken;
    const ask: Complete = (...asked) => complete(speech.llm, ...asked);
    return { name: 'completion', engine: completionEngine(app, ask, { ...input, model }) };
  }
  const ask: Complete = (...asked) => completeInRealtime(speech, ...asked);
  return { name: 'realtime', engine: completionEngine(app, ask, { ...input, model: spoken }) };
}
