import type { Agent, KnowledgeBaseListItem, Model, NewAgent } from '../../client.ts';
import { CheckField, CheckGroup, Form, SelectField, Submit, TextField } from '../../parts/form.tsx';
import { valueText } from '../../parts/status.tsx';
import { type Form as FormState, numberOf, orNull, useForm, editedThing, type SaveOptions } from '../../state/form.ts';
import { changedFields } from '../../state/merge-edits.ts';
import { isMember } from '../../state/session.ts';
import { agents } from '../../text/agents.ts';
import { common } from '../../text/en.ts';

export type Choices = { models: readonly Model[]; bases: readonly KnowledgeBaseListItem[] };

type Props = {
  choices: Choices;
  agent?: Agent;
  success?: string;
  save(body: Partial<NewAgent>, options: Omit<SaveOptions<never>, 'saved'>): Promise<Agent | void>;
  reload?: () => Promise<Agent>;
};

const maxUrls = 10;

const urlField = (index: number): string => `webhook_urls[${index}]`;

function valuesOf(agent: Agent | undefined, { models }: Choices) {
  const model = models.find(({ isActive }) => isActive);
  const urls = agent && agent.webhookUrls.length > 0 ? agent.webhookUrls : [''];
  return {
    agentName: agent?.agentName ?? '',
    status: agent?.status ?? 'ACTIVE',
    model: agent?.model ?? model?.llmModel ?? '',
    voiceId: agent?.voiceId ?? model?.voices[0]?.id ?? '',
    prompt: agent?.prompt ?? '',
    firstMessage: agent?.firstMessage ?? '',
    voicemailMessage: agent?.voicemailMessage ?? '',
    temperature: String(agent?.temperature ?? 0.7),
    reminderTriggerMs: String(agent?.reminderTriggerMs ?? 10_000),
    maxCallDurationMs: String(agent?.maxCallDurationMs ?? 3_600_000),
    calendarTimezone: agent?.calendarTimezone ?? 'UTC',
    emergencyFallback: agent?.emergencyFallback ?? '',
    emotion: agent?.emotion ?? false,
    knowledgeBaseIds: agent?.knowledgeBaseIds ?? [],
    webhook_events: agent?.webhookEvents ?? ['call.completed'],
    ...Object.fromEntries(urls.map((url, index) => [urlField(index), url])),
  };
}

type Values = ReturnType<typeof valuesOf> & Record<string, string | boolean | readonly string[]>;

const urlsOf = (values: Values): string[] =>
  Array.from({ length: maxUrls }, (_, index) => values[urlField(index)])
    .filter((url) => typeof url === 'string')
    .map((url) => url.trim());

/** Prompts and sentences keep the white space around them. */
const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text);

const bodyOf = (values: Values): NewAgent => ({
  agentName: values.agentName,
  status: values.status,
  model: values.model,
  voiceId: values.voiceId,
  prompt: textOrNull(values.prompt),
  firstMessage: textOrNull(values.firstMessage),
  voicemailMessage: textOrNull(values.voicemailMessage),
  temperature: numberOf(values.temperature),
  reminderTriggerMs: numberOf(values.reminderTriggerMs),
  maxCallDurationMs: numberOf(values.maxCallDurationMs),
  calendarTimezone: values.calendarTimezone,
  emergencyFallback: orNull(values.emergencyFallback),
  emotion: values.emotion,
  knowledgeBaseIds: [...values.knowledgeBaseIds],
  webhook_urls: urlsOf(values).filter((url) => url !== ''),
  webhook_events: [...values.webhook_events] as Agent['webhookEvents'],
});

export function AgentForm({ choices, agent, success, save, reload }: Props) {
  const form = useForm<Values>({
    initial: valuesOf(agent, choices),
    ...(success === undefined ? {} : { success }),
    edited: editedThing(agent, reload, (fresh): Values => valuesOf(fresh, choices)),
    save: (values, { saved, ...options }) =>
      save(agent ? changedFields(bodyOf(saved), bodyOf(values)) : bodyOf(values), options),
  });
  return (
    <Form form={form} failed={agents.saveFailed}>
      <TextField form={form} name="agentName" label={agents.name} />
      <div class="fields">
        <SelectField
          form={form}
          name="status"
          label={agents.status}
          options={(['ACTIVE', 'INACTIVE'] as const).map((value) => ({ value, text: valueText(value) }))}
        />
        <VoiceFields form={form} choices={choices} agent={agent} />
      </div>
      <TextField
        form={form}
        name="prompt"
        label={agents.prompt}
        lines={14}
        hint={agents.promptHint(form.values.prompt.length)}
      />
      <TextField form={form} name="firstMessage" label={agents.firstMessage} lines={2} hint={agents.firstMessageHint} />
      <TextField form={form} name="voicemailMessage" label={agents.voicemail} lines={2} hint={agents.voicemailHint} />
      <FurtherFields form={form} choices={choices} />
      <UrlFields form={form} />
      {isMember.value && <Submit form={form} text={common.save} />}
    </Form>
  );
}

/** The voice must belong to the model, so another model brings its own voices. */
function VoiceFields({
  form,
  choices,
  agent,
}: {
  form: FormState<Values>;
  choices: Choices;
  agent: Agent | undefined;
}) {
  const chosen = choices.models.find(({ llmModel }) => llmModel === form.values.model);
  const offered = choices.models.filter(({ isActive, llmModel }) => isActive || llmModel === agent?.model);
  const sample = chosen?.voices.find(({ id }) => id === form.values.voiceId)?.recordingUrl;
  return (
    <>
      <SelectField
        form={form}
        name="model"
        label={agents.model}
        options={offered.map(({ llmModel, isActive }) => ({
          value: llmModel,
          text: isActive ? llmModel : agents.inactiveModel(llmModel),
        }))}
        onChange={(value) => {
          const voices = choices.models.find(({ llmModel }) => llmModel === value)?.voices ?? [];
          form.set({ voiceId: voices[0]?.id ?? '' });
        }}
      />
      <div>
        <SelectField
          form={form}
          name="voiceId"
          label={agents.voice}
          options={(chosen?.voices ?? [])
            .toSorted((a, b) => a.language.localeCompare(b.language))
            .map(({ id, voiceName, language }) => ({ value: id, text: agents.voiceText(voiceName, language) }))}
        />
        {sample && (
          <a href={sample} target="_blank" rel="noopener noreferrer">
            {agents.sample}
          </a>
        )}
      </div>
    </>
  );
}

function FurtherFields({ form, choices }: { form: FormState<Values>; choices: Choices }) {
  return (
    <>
      <div class="fields">
        <TextField form={form} name="temperature" label={agents.temperature} hint={agents.temperatureHint} />
        <TextField form={form} name="reminderTriggerMs" label={agents.reminder} hint={agents.reminderHint} />
        <TextField form={form} name="maxCallDurationMs" label={agents.maxDuration} hint={agents.maxDurationHint} />
        <TextField form={form} name="calendarTimezone" label={agents.zone} list="zones" />
        <TextField form={form} name="emergencyFallback" label={agents.fallback} hint={agents.fallbackHint} type="tel" />
      </div>
      <datalist id="zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <CheckField form={form} name="emotion" label={agents.emotion} />
      {choices.bases.length > 0 && (
        <CheckGroup
          form={form}
          name="knowledgeBaseIds"
          label={agents.knowledge}
          options={choices.bases.map(({ id, name }) => ({ value: id, text: name }))}
        />
      )}
      <CheckGroup
        form={form}
        name="webhook_events"
        label={agents.events}
        options={[{ value: 'call.completed', text: 'call.completed' }]}
      />
    </>
  );
}

function UrlFields({ form }: { form: FormState<Values> }) {
  const urls = urlsOf(form.values);
  const add = (): void => form.set({ [urlField(urls.length)]: '' });
  return (
    <>
      {urls.map((_, index) => (
        <TextField key={index} form={form} name={urlField(index)} label={agents.webhook(index + 1)} type="url" />
      ))}
      {urls.length < maxUrls && isMember.value && (
        <button type="button" onClick={add}>
          {agents.addUrl}
        </button>
      )}
    </>
  );
}
