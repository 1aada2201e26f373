import type { App } from '../../../kernel/app.ts';
import type { ToolDefinition } from '../../../talking/speech/engine.ts';
import type { SpeechSettings } from '../../../talking/speech/settings.ts';
import type { Agent } from '../../agents/agent.ts';
import type { Call } from '../call.ts';
import { completionEngine, type Texts } from './completion.ts';
import type { ConversationEngine, Engine } from './conversation.ts';
import { simulatedEngine } from './simulated.ts';

type Input = { agent: Agent; call: Call; texts: Texts; tools: readonly ToolDefinition[] };

/** What answers in a conversation: the model of `speech.llm` where one is set, else nobody, which works offline. */
export function engineFor(app: App, input: Input): { name: ConversationEngine; engine: Engine } {
  const { speech } = app.config as App['config'] & { speech?: SpeechSettings };
  const { agent, texts } = input;
  const llm = speech?.llm;
  if (!llm || llm.url === null) return { name: 'simulated', engine: simulatedEngine(app, agent, texts.firstMessage) };
  const named = app.config.catalog.models.find(({ llm_model: name }) => name === agent.model)?.provider_model;
  const model = llm.model ?? named ?? agent.model;
  return { name: 'completion', engine: completionEngine(app, llm, { ...input, model }) };
}
