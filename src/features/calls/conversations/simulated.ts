import type { App } from '../../../kernel/app.ts';
import type { Agent } from '../../agents/agent.ts';
import { askDocuments } from '../tools/knowledge.ts';
import { type Engine, plainAnswer } from './conversation.ts';

/** Below this score a passage hardly answers the question. */
const minScore = 0.5;
const maxPassages = 3;

/** Answers without any model: with the best passage of the agent's knowledge bases, else with what it heard. */
export const simulatedEngine = (app: App, agent: Agent, firstMessage: string | null): Engine => ({
  open: (events) => {
    if (firstMessage === null || firstMessage === '') return Promise.resolve(null);
    events.text(firstMessage);
    return Promise.resolve(plainAnswer(firstMessage));
  },
  async answer(text, events) {
    const passages = await askDocuments(app, agent, text, maxPassages);
    const [best] = passages;
    const said = best && best.score >= minScore ? best.text : `(simulated) I heard: ${text}`;
    events.text(said);
    return plainAnswer(said, { passages });
  },
  close: () => undefined,
});
