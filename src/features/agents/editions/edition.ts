import type { Actor } from '../../requests/audit.ts';
import { type Agent, agentDefaults, type AgentSettings } from '../agent.ts';

/** Settings that make no edition: they say whether and where to the agent's calls go, not how it talks. */
const notEdited = ['status', 'emergencyFallback', 'transferPhone'] as const;

/** The settings of an edition. */
export type EditionSettings = Omit<AgentSettings, (typeof notEdited)[number]>;
export type EditionField = keyof EditionSettings;

export const editionFields = (
  ['agentName', 'model', 'voiceId', ...Object.keys(agentDefaults)] as Array<keyof AgentSettings>
).filter((field): field is EditionField => !(notEdited as readonly string[]).includes(field));

/** What an agent was set to, from one change to the next (docs/api/agents.md, "Editions"). */
export type Edition = {
  edition: number;
  at: number;
  by: Actor | null;
  note: string | null;
  /** The settings that differ from the edition before; none for the first. */
  fields: readonly string[];
  calls: number;
};

export const editionSettingsOf = (agent: Agent): EditionSettings =>
  Object.fromEntries(editionFields.map((field) => [field, agent[field]])) as EditionSettings;

/** The settings that differ. */
export const changedFields = (before: EditionSettings, after: EditionSettings): EditionField[] =>
  editionFields.filter((field) => JSON.stringify(before[field] ?? null) !== JSON.stringify(after[field] ?? null));
