import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import {
  type Agent,
  type AgentSettingsToTry,
  api,
  createAgent,
  deleteAgent,
  getAgent,
  listKnowledgeBases,
  listModelsWithVoices,
  listWebhookEndpoints,
  type NewAgent,
  updateAgent,
  type WebhookEndpoint,
} from '../../client.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Form, Submit } from '../../parts/form.tsx';
import { NotForRole } from '../../parts/not-for-role.tsx';
import { Loaded, Page } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { PageTabs } from '../../parts/tabs.tsx';
import { useAction } from '../../state/action.ts';
import { navigate, setQuery } from '../../state/location.ts';
import type { Params } from '../../state/pages.ts';
import { type Resource, useResource } from '../../state/resource.ts';
import { isMember, session } from '../../state/session.ts';
import { agents } from '../../text/agents.ts';
import { common, pages as names, yesOrNo } from '../../text/en.ts';
import { number } from '../../text/plural.ts';
import { talking } from '../../text/talking.ts';
import { CompareUnsaved } from './compare-unsaved.tsx';
import { Conversation, type ConversationProps, type Mode } from './conversation.tsx';
import {
  type AgentForm,
  CallFields,
  type Choices,
  EventFields,
  KnowledgeFields,
  PromptFields,
  StatusField,
  settingsText,
  unsavedSettings,
  useAgentForm,
  VoiceAndName,
} from './form.tsx';
import { LastChange, Versions } from './versions.tsx';
import { EndpointList, SendTest, Webhooks } from './webhooks.tsx';
import { IncomingNumbers } from './incoming-numbers.tsx';
import { TryACall } from './try-call.tsx';
import { useTestCall } from './use-test-call.ts';
import { useTextTalk } from './use-text-talk.ts';

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
  if (!isMember.value) return <NotForRole least="member" />;
  return (
    <Page heading={agents.new} crumb={{ href: '/agents', name: names.agents }}>
      <Loaded of={choices}>{(data) => <NewAgentForm choices={data} />}</Loaded>
    </Page>
  );
}

function NewAgentForm({ choices }: { choices: Choices }) {
  const form = useAgentForm({
    choices,
    success: agents.created,
    async save(body, { idempotencyKey }) {
      const { data: agent } = await createAgent(api, { body: body as NewAgent, idempotencyKey });
      await navigate(`/agents/${agent.id}`);
    },
  });
  return (
    <Form form={form} failed={agents.saveFailed}>
      <div class="columns">
        <div class="stack">
          <section>
            <h2>{agents.parts.who}</h2>
            <VoiceAndName form={form} choices={choices} />
            <StatusField form={form} />
          </section>
          <section>
            <h2>{agents.parts.says}</h2>
            <PromptFields form={form} />
          </section>
        </div>
        <div class="stack">
          <section>
            <h2>{agents.parts.calls}</h2>
            <CallFields form={form} />
          </section>
          <section>
            <h2>{agents.tabs.knowledge}</h2>
            <KnowledgeFields form={form} choices={choices} />
          </section>
          <section>
            <h2>{agents.webhooks}</h2>
            <EventFields form={form} />
          </section>
        </div>
      </div>
      <Submit form={form} text={common.save} />
    </Form>
  );
}

type Loading = { agent: Agent; choices: Choices; endpoints: readonly WebhookEndpoint[] };

export function AgentPage({ params }: { params: Params }) {
  const id = params['id']!;
  const loaded = useResource(id, async (signal): Promise<Loading> => {
    const [agent, choices, endpoints] = await Promise.all([
      getAgent(api, { params: { agent_id: id }, signal }),
      loadChoices(signal),
      listWebhookEndpoints(api, { query: { agent_id: id, limit: 50 }, signal }),
    ]);
    return { agent: agent.data, choices, endpoints: endpoints.data };
  });
  return (
    <Loaded of={loaded} heading="…">
      {(loading) => (isMember.value ? <Editable {...loading} loaded={loaded} /> : <ReadOnly {...loading} />)}
    </Loaded>
  );
}

const voiceOf = ({ agent, choices }: Loading): string =>
  choices.models.find(({ llmModel }) => llmModel === agent.model)?.voices.find(({ id }) => id === agent.voiceId)
    ?.voiceName ?? agent.voiceId;

/** What stands above an agent's page for everybody. */
const headOf = (loading: Loading) => ({
  heading: loading.agent.agentName,
  crumb: { href: '/agents', name: names.agents },
  state: <Status value={loading.agent.status} pill />,
  about: agents.about(loading.agent.model, voiceOf(loading), loading.agent.edition),
});

function Editable({ loaded, ...loading }: Loading & { loaded: Resource<Loading> }) {
  const { agent, choices, endpoints } = loading;
  const { id } = agent;
  const trying = useSignal(false);
  const call = useTestCall(id);
  const mode = useSignal<Mode>('text');
  const form = useAgentForm({
    choices,
    agent,
    reload: async () => (await getAgent(api, { params: { agent_id: id } })).data,
    async save(body, { basedOn }) {
      const { data } = await updateAgent(api, { params: { agent_id: id }, body, ...basedOn });
      loaded.set({ agent: data, choices, endpoints });
      loaded.reload();
      return data;
    },
  });
  const unsaved = unsavedSettings(agent, choices, form.values);
  const settings = settingsText(form.values);
  const talk = useTextTalk(id, { unsaved, settings });
  const restored = (fresh: Agent): void => {
    loaded.set({ agent: fresh, choices, endpoints });
    loaded.reload();
  };
  const speak = async (): Promise<void> => {
    mode.value = 'voice';
    setQuery({ tab: undefined });
    await call.start();
    if (call.isMute.value) mode.value = 'text';
  };
  const talks = { mode, talk, settings, call, hasChanges: form.changed };
  return (
    <Page
      {...headOf(loading)}
      actions={
        <>
          <SendTest agent={agent} endpoints={endpoints} />
          <button type="button" onClick={() => void (trying.value = true)}>
            {agents.try}
          </button>
          <button type="button" class="primary" onClick={() => void speak()}>
            <Icon name="microphone" />
            {talking.talk}
          </button>
        </>
      }
    >
      {trying.value && <TryACall agentId={id} close={() => void (trying.value = false)} />}
      <PageTabs label={agent.agentName} keeps tabs={tabsOf(loading, { form, unsaved, restored, talks })} />
    </Page>
  );
}

type TabProps = {
  form: AgentForm;
  unsaved: AgentSettingsToTry;
  restored: (agent: Agent) => void;
  talks: ConversationProps;
};

/** The parts of the form, each with the button that saves all of it. */
function tabsOf({ agent, choices, endpoints }: Loading, { form, unsaved, restored, talks }: TabProps) {
  const inForm = (children: ComponentChildren) => (
    <Form form={form} failed={agents.saveFailed}>
      <section>{children}</section>
      <Submit form={form} text={common.save}>
        <CompareUnsaved agent={agent} unsaved={unsaved} />
      </Submit>
    </Form>
  );
  const bench = () => (
    <div class="columns">
      <div class="stack">
        {inForm(
          <>
            <VoiceAndName form={form} choices={choices} agent={agent} />
            <PromptFields form={form} />
          </>,
        )}
        {agent.edition > 1 && <LastChange agent={agent} restored={restored} />}
      </div>
      <Conversation {...talks} />
    </div>
  );
  const settings = () => (
    <>
      {inForm(
        <>
          <StatusField form={form} />
          <CallFields form={form} />
        </>,
      )}
      <IncomingNumbers agentId={agent.id} />
      <Deletion agent={agent} />
    </>
  );
  const webhooks = () => (
    <>
      {inForm(<EventFields form={form} />)}
      <Webhooks agent={agent} endpoints={endpoints} />
    </>
  );
  return [
    { id: 'bench', name: agents.tabs.bench, show: bench },
    { id: 'settings', name: agents.tabs.settings, show: settings },
    {
      id: 'knowledge',
      name: agents.tabs.knowledge,
      show: () => inForm(<KnowledgeFields form={form} choices={choices} />),
    },
    { id: 'webhooks', name: agents.tabs.webhooks, show: webhooks },
    { id: 'versions', name: agents.tabs.versions, show: () => <Versions agent={agent} restored={restored} /> },
  ];
}

/** An agent for who may only read. */
function ReadOnly(loading: Loading) {
  const { agent, choices, endpoints } = loading;
  const bases = choices.bases.filter(({ id }) => agent.knowledgeBaseIds.includes(id));
  return (
    <Page {...headOf(loading)}>
      <section>
        <h2>{agents.parts.says}</h2>
        <h3>{agents.prompt}</h3>
        <p class="lines" dir="auto">
          {agent.prompt ?? common.none}
        </p>
        <h3>{agents.firstMessage}</h3>
        <p class="lines" dir="auto">
          {agent.firstMessage ?? common.none}
        </p>
      </section>
      <section>
        <h2>{agents.tabs.settings}</h2>
        <Facts
          facts={[
            [agents.voicemail, agent.voicemailMessage],
            [agents.maxDuration, number(agent.maxCallDurationMs / 60_000)],
            [agents.reminder, number(agent.reminderTriggerMs / 1000)],
            [agents.silence, number(agent.silenceTimeoutMs / 1000)],
            [agents.temperature, number(agent.temperature)],
            [agents.transfer, agent.transferPhone],
            [agents.fallback, agent.emergencyFallback],
            [agents.emotion, yesOrNo(agent.emotion)],
            [agents.voicemailDetection, yesOrNo(agent.voicemailDetection)],
            [agents.record, yesOrNo(agent.recordCalls)],
            [agents.notice, agent.recordingNotice],
            [agents.zone, agent.calendarTimezone],
            [agents.knowledge, bases.map(({ name }) => name).join(', ')],
          ]}
        />
      </section>
      <section>
        <h2>{agents.webhooks}</h2>
        <EndpointList agent={agent} endpoints={endpoints} />
      </section>
      <section>
        <h2>{agents.tabs.versions}</h2>
        <Versions agent={agent} restored={() => undefined} />
      </section>
    </Page>
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
    <div class="actions">
      <button type="button" class="danger" onClick={() => void (asking.value = true)}>
        {agents.delete}
      </button>
      {asking.value && (
        <Confirm
          title={agents.deleteTitle(agent.agentName)}
          text={agents.deleteText}
          action={agents.delete}
          act={remove}
          of={action}
          close={() => void (asking.value = false)}
        />
      )}
    </div>
  );
}
