import { useSignal } from '@preact/signals';
import {
  type Agent,
  api,
  createAgent,
  deleteAgent,
  getAgent,
  listKnowledgeBases,
  listModelsWithVoices,
  listWebhookEndpoints,
  type NewAgent,
  updateAgent,
} from '../../client.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { ActionProblem, Loaded, Page } from '../../parts/page.tsx';
import { useAction } from '../../state/action.ts';
import { navigate } from '../../state/location.ts';
import type { Params } from '../../state/pages.ts';
import { useResource } from '../../state/resource.ts';
import { isMember, session } from '../../state/session.ts';
import { agents } from '../../text/agents.ts';
import { AgentForm, type Choices } from './form.tsx';
import { Webhooks } from './webhooks.tsx';
import { TryACall } from './try-call.tsx';

/** Choices of the form: models with their voices, and knowledge bases. */
async function loadChoices(signal: AbortSignal): Promise<Choices> {
  const [models, bases] = await Promise.all([
    listModelsWithVoices(api, { query: { limit: 500 }, signal }),
    listKnowledgeBases(api, { query: { org_id: session.value!.organization.id }, signal }),
  ]);
  return { models: models.data, bases: bases.data };
}

export function NewAgentPage() {
  const choices = useResource('choices', loadChoices);
  return (
    <Page heading={agents.new}>
      <Loaded of={choices}>
        {(data) => (
          <AgentForm
            choices={data}
            success={agents.created}
            save={async (body, { idempotencyKey }) => {
              const { data: agent } = await createAgent(api, { body: body as NewAgent, idempotencyKey });
              await navigate(`/agents/${agent.id}`);
            }}
          />
        )}
      </Loaded>
    </Page>
  );
}

export function AgentPage({ params }: { params: Params }) {
  const id = params['id']!;
  const loaded = useResource(id, async (signal) => {
    const [agent, choices, endpoints] = await Promise.all([
      getAgent(api, { params: { agent_id: id }, signal }),
      loadChoices(signal),
      listWebhookEndpoints(api, { query: { agent_id: id, limit: 50 }, signal }),
    ]);
    return { agent: agent.data, choices, endpoints: endpoints.data };
  });
  const trying = useSignal(false);
  return (
    <Loaded of={loaded} heading="…">
      {({ agent, choices, endpoints }) => (
        <Page
          heading={agent.agentName}
          actions={
            isMember.value && (
              <button type="button" onClick={() => void (trying.value = true)}>
                {agents.try}
              </button>
            )
          }
        >
          {trying.value && <TryACall agentId={id} close={() => void (trying.value = false)} />}
          <AgentForm
            choices={choices}
            agent={agent}
            reload={async () => (await getAgent(api, { params: { agent_id: id } })).data}
            save={async (body, { basedOn }) => {
              const { data } = await updateAgent(api, { params: { agent_id: id }, body, ...basedOn });
              loaded.set({ agent: data, choices, endpoints });
              loaded.reload();
              return data;
            }}
          />
          {isMember.value && (
            <>
              <Webhooks agent={agent} endpoints={endpoints} />
              <Deletion agent={agent} />
            </>
          )}
        </Page>
      )}
    </Loaded>
  );
}

function Deletion({ agent }: { agent: Agent }) {
  const asking = useSignal(false);
  const action = useAction();
  const remove = async (): Promise<void> => {
    const done = await action.run(
      async () => void (await deleteAgent(api, { params: { agent_id: agent.id }, ifMatch: agent.version })),
      agents.deleted,
    );
    if (done) await navigate('/agents');
  };
  return (
    <section class="apart">
      <ActionProblem of={action} />
      <button type="button" class="danger" onClick={() => void (asking.value = true)}>
        {agents.delete}
      </button>
      {asking.value && (
        <Confirm
          title={agents.deleteTitle(agent.agentName)}
          text={agents.deleteText}
          action={agents.delete}
          act={remove}
          close={() => void (asking.value = false)}
        />
      )}
    </section>
  );
}
