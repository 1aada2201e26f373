import { useSignal } from '@preact/signals';
import type { Agent, AgentSettingsToTry } from '../../client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { agents } from '../../text/agents.ts';
import { type Difference, Differences } from './differences.tsx';
import { linesOf } from './lines.ts';

type Props = { agent: Agent; unsaved: AgentSettingsToTry };

function differencesOf({ agent, unsaved }: Props): Difference[] {
  const saved: Readonly<Record<string, unknown>> = agent;
  return Object.entries(unsaved).map(([field, after]) => {
    const before = saved[field];
    const areTexts = typeof before === 'string' && typeof after === 'string';
    return { field, before, after, ...(areTexts ? { lines: linesOf(before, after) } : {}) };
  });
}

/** Shows what would change by saving, where that makes another version. */
export function CompareUnsaved({ agent, unsaved }: Props) {
  const isOpen = useSignal(false);
  if (Object.keys(unsaved).length === 0) return null;
  return (
    <>
      <button type="button" onClick={() => void (isOpen.value = true)}>
        {agents.compareWith(agent.edition)}
      </button>
      {isOpen.value && (
        <Dialog title={agents.unsavedAgainst(agent.edition)} close={() => void (isOpen.value = false)} wide>
          <Differences changes={differencesOf({ agent, unsaved })} />
        </Dialog>
      )}
    </>
  );
}
