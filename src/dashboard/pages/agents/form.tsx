import type { Agent, AgentSettingsToTry, KnowledgeBaseListItem, Model, NewAgent } from '../../client.ts';
import { CheckField, CheckGroup, SelectField, TextField } from '../../parts/form.tsx';
import { plainPhone } from '../../parts/phone.ts';
import { valueText } from '../../parts/status.tsx';
import { type Form as FormState, numberOf, useForm, editedThing, type SaveOptions } from '../../state/form.ts';
import { changedFields } from '../../state/merge-edits.ts';
import { isMember } from '../../state/session.ts';
import { agents } from '../../text/agents.ts';

export type Choices = { models: readonly Model[]; bases: readonly KnowledgeBaseListItem[] };

type Options = {
  choices: Choices;
  agent?: Agent | undefined;
  success?: string;
  save(body: Partial<NewAgent>, options: Omit<SaveOptions<never>, 'saved'>): Promise<Agent | void>;
  reload?: () => Promise<Agent>;
};

const maxUrls = 10;

const urlField = (index: number): string => `webhook_urls[${index}]`;

/** Every field of an agent, as the form has it. */
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
    reminderTriggerMs: inUnits(agent?.reminderTriggerMs ?? 10_000, secondMs),
    maxCallDurationMs: inUnits(agent?.maxCallDurationMs ?? 3_600_000, minuteMs),
    silenceTimeoutMs: inUnits(agent?.silenceTimeoutMs ?? 30_000, secondMs),
    transferPhone: agent?.transferPhone ?? '',
    calendarTimezone: agent?.calendarTimezone ?? 'UTC',
    emergencyFallback: agent?.emergencyFallback ?? '',
    emotion: agent?.emotion ?? false,
    voicemailDetection: agent?.voicemailDetection ?? true,
    recordCalls: agent?.recordCalls ?? false,
    recordingNotice: agent?.recordingNotice ?? '',
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

const secondMs = 1000;
const minuteMs = 60_000;

/** Milliseconds of the interface are seconds or minutes on the page. */
const inUnits = (ms: number, unitMs: number): string => String(ms / unitMs);

function inMs(text: string, unitMs: number): number {
  const typed = numberOf(text);
  return typeof typed === 'number' ? Math.round(typed * unitMs) : typed;
}

const phoneOrNull = (text: string): string | null => (text.trim() === '' ? null : plainPhone(text));

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
  reminderTriggerMs: inMs(values.reminderTriggerMs, secondMs),
  maxCallDurationMs: inMs(values.maxCallDurationMs, minuteMs),
  silenceTimeoutMs: inMs(values.silenceTimeoutMs, secondMs),
  transferPhone: phoneOrNull(values.transferPhone),
  calendarTimezone: values.calendarTimezone,
  emergencyFallback: phoneOrNull(values.emergencyFallback),
  emotion: values.emotion,
  voicemailDetection: values.voicemailDetection,
  recordCalls: values.recordCalls,
  recordingNotice: textOrNull(values.recordingNotice),
  knowledgeBaseIds: [...values.knowledgeBaseIds],
  webhook_urls: urlsOf(values).filter((url) => url !== ''),
  webhook_events: [...values.webhook_events] as Agent['webhookEvents'],
});

/** Settings that make no version, so that a conversation cannot try them. */
const notTried = ['status', 'transferPhone', 'emergencyFallback', 'webhook_urls', 'webhook_events'];

/** The settings in the form that differ from the saved ones, for a conversation that tries them. */
export function unsavedSettings(agent: Agent, choices: Choices, values: AgentForm['values']): AgentSettingsToTry {
  const changed = changedFields(bodyOf(valuesOf(agent, choices) as Values), bodyOf(values));
  return Object.fromEntries(Object.entries(changed).filter(([name]) => !notTried.includes(name)));
}

/** All settings in the form that a conversation speaks with, saved or not, as a text to compare. */
export const settingsText = (values: AgentForm['values']): string =>
  JSON.stringify(Object.entries(bodyOf(values)).filter(([name]) => !notTried.includes(name)));

export type AgentForm = FormState<Values>;

/** One form for all of an agent; its fields stand on several tabs. */
export function useAgentForm({ choices, agent, success, save, reload }: Options): AgentForm {
  return useForm<Values>({
    initial: valuesOf(agent, choices),
    ...(success === undefined ? {} : { success }),
    edited: editedThing(agent, reload, (fresh): Values => valuesOf(fresh, choices)),
    save: (values, { saved, ...options }) =>
      save(agent ? changedFields(bodyOf(saved), bodyOf(values)) : bodyOf(values), options),
  });
}

type FormProps = { form: AgentForm };
type ChoiceProps = FormProps & { choices: Choices; agent?: Agent | undefined };

/** The fields of name, model and voice. */
export function VoiceAndName({ form, choices, agent }: ChoiceProps) {
  return (
    <>
      <TextField form={form} name="agentName" label={agents.name} />
      <div class="fields">
        <VoiceFields form={form} choices={choices} agent={agent} />
      </div>
    </>
  );
}

/** The fields of prompt and fixed sentences. */
export function PromptFields({ form }: FormProps) {
  return (
    <>
      <TextField
        form={form}
        name="prompt"
        label={agents.prompt}
        lines={14}
        hint={agents.promptHint(form.values.prompt.length)}
      />
      <TextField form={form} name="firstMessage" label={agents.firstMessage} lines={2} hint={agents.firstMessageHint} />
    </>
  );
}

export function StatusField({ form }: FormProps) {
  return (
    <SelectField
      form={form}
      name="status"
      label={agents.status}
      options={(['ACTIVE', 'INACTIVE'] as const).map((value) => ({ value, text: valueText(value) }))}
    />
  );
}

/** The voice must belong to the model, so another model brings its own voices. */
function VoiceFields({ form, choices, agent }: ChoiceProps) {
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

/** How it behaves in a call. */
export function CallFields({ form }: FormProps) {
  return (
    <>
      <TextField form={form} name="voicemailMessage" label={agents.voicemail} lines={2} hint={agents.voicemailHint} />
      <div class="fields">
        <TextField form={form} name="maxCallDurationMs" label={agents.maxDuration} hint={agents.maxDurationHint} />
        <TextField form={form} name="reminderTriggerMs" label={agents.reminder} hint={agents.reminderHint} />
        <TextField form={form} name="silenceTimeoutMs" label={agents.silence} hint={agents.silenceHint} />
        <TextField form={form} name="temperature" label={agents.temperature} hint={agents.temperatureHint} />
        <TextField form={form} name="transferPhone" label={agents.transfer} hint={agents.transferHint} type="tel" />
        <TextField form={form} name="emergencyFallback" label={agents.fallback} hint={agents.fallbackHint} type="tel" />
      </div>
      <CheckField form={form} name="emotion" label={agents.emotion} />
      <CheckField form={form} name="voicemailDetection" label={agents.voicemailDetection} />
      <CheckField form={form} name="recordCalls" label={agents.record} hint={agents.recordHint} />
      <TextField form={form} name="recordingNotice" label={agents.notice} lines={2} hint={agents.noticeHint} />
    </>
  );
}

/** The fields of time zone and knowledge bases. */
export function KnowledgeFields({ form, choices }: ChoiceProps) {
  return (
    <>
      <TextField form={form} name="calendarTimezone" label={agents.zone} list="zones" />
      <datalist id="zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      {choices.bases.length > 0 ? (
        <CheckGroup
          form={form}
          name="knowledgeBaseIds"
          label={agents.knowledge}
          options={choices.bases.map(({ id, name }) => ({ value: id, text: name }))}
        />
      ) : (
        <p class="quiet">{agents.noKnowledge}</p>
      )}
    </>
  );
}

/** The fields of events that go to webhook URLs. */
export function EventFields({ form }: FormProps) {
  return (
    <>
      <CheckGroup
        form={form}
        name="webhook_events"
        label={agents.events}
        options={[{ value: 'call.completed', text: valueText('call.completed') }]}
      />
      <UrlFields form={form} />
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
