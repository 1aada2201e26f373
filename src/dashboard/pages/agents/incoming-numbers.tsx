import { api, listPhoneNumbers } from '../../client.ts';
import { Loaded } from '../../parts/page.tsx';
import { useResource } from '../../state/resource.ts';
import { agents } from '../../text/agents.ts';

/** The numbers whose incoming calls an agent answers. */
export function IncomingNumbers({ agentId }: { agentId: string }) {
  const loaded = useResource(`answers ${agentId}`, async (signal) => {
    const { data } = await listPhoneNumbers(api, { query: { limit: 500 }, signal });
    return data.filter(({ inbound_agent_id: id, status }) => id === agentId && status === 'active');
  });
  return (
    <section aria-labelledby="incoming">
      <h2 id="incoming">{agents.answersTo}</h2>
      <Loaded of={loaded}>
        {(numbers) =>
          numbers.length === 0 ? (
            <p class="quiet">{agents.answersNone}</p>
          ) : (
            <ul>
              {numbers.map(({ id, phone, name }) => (
                <li key={id}>
                  <a href="/numbers">{name === null ? phone : `${phone} ${name}`}</a>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
