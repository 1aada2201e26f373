import { useSignal } from '@preact/signals';
import { CopyButton } from '../../parts/copy.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { agents } from '../../text/agents.ts';
import node from './receivers/node.txt';
import python from './receivers/python.txt';

/** Programs that receive events and check their signatures. Each needs nothing but its language and WEBHOOK_SECRET. */
const languages = [
  { id: 'node', name: 'Node.js', code: node },
  { id: 'python', name: 'Python', code: python },
] as const;

/** A program to copy that receives the agent's events. */
export function ReceiverCode() {
  const chosen = useSignal<(typeof languages)[number]['id']>('node');
  const { name, code } = languages.find(({ id }) => id === chosen.value)!;
  return (
    <details>
      <summary>{agents.receiver}</summary>
      <p class="quiet">{agents.receiverText}</p>
      <Tabs
        label={agents.receiverLanguage}
        tabs={languages}
        chosen={chosen.value}
        choose={(id) => void (chosen.value = id)}
      >
        <pre tabIndex={0} role="group" aria-label={agents.receiverIn(name)}>
          {code}
        </pre>
        <div class="actions">
          <CopyButton name={agents.copyReceiver} text={() => code} />
        </div>
      </Tabs>
    </details>
  );
}
