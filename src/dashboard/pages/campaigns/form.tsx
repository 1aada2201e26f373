import type { ComponentChildren } from 'preact';
import {
  type Agent,
  api,
  type Campaign,
  type CampaignZone,
  listAgents,
  listPhoneNumbers,
  type NewCampaign,
  type PhoneNumber,
} from '../../client.ts';
import { CheckField, CheckGroup, Form, SelectField, Submit, TextField } from '../../parts/form.tsx';
import { valueText } from '../../parts/status.tsx';
import { wallTime } from '../../parts/time.tsx';
import { type Form as FormState, numberOf, orNull, useForm, editedThing, type SaveOptions } from '../../state/form.ts';
import { changedFields } from '../../state/merge-edits.ts';
import { viewerZone } from '../../state/preferences.ts';
import { campaigns } from '../../text/campaigns.ts';
import { common } from '../../text/en.ts';
import { useFieldOfAddress } from './before-start.tsx';
import { WeekGrid } from './week-grid.tsx';

export type Choices = { agents: readonly Agent[]; numbers: readonly PhoneNumber[] };

export async function loadChoices(signal: AbortSignal): Promise<Choices> {
  const [agents, numbers] = await Promise.all([
    listAgents(api, { query: { limit: 500 }, signal }),
    listPhoneNumbers(api, { query: { limit: 500 }, signal }),
  ]);
  return { agents: agents.data, numbers: numbers.data.filter(({ status }) => status === 'active') };
}

const retryable = ['busy', 'no_answer', 'failed', 'voicemail'] as const;
const allDays = ['1', '2', '3', '4', '5', '6', '7'];

function valuesOf(campaign: Campaign | undefined) {
  const schedule = campaign?.schedule;
  const zone = schedule?.timezone ?? viewerZone;
  return {
    name: campaign?.name ?? '',
    agentId: campaign?.agentId ?? '',
    phoneNumberId: campaign?.phoneNumberId ?? '',
    phoneNumberIds: campaign?.phoneNumberIds?.slice(1) ?? [],
    localPresence: campaign?.localPresence ?? false,
    'schedule.timezone': zone,
    'schedule.windowStart': schedule ? (schedule.windowStart ?? '') : '09:00',
    'schedule.windowEnd': schedule ? (schedule.windowEnd ?? '') : '17:00',
    'schedule.windowDays': schedule ? schedule.windowDays.map(String) : allDays.slice(0, 5),
    'schedule.start': schedule?.start ? wallTime(schedule.start, zone) : '',
    'schedule.end': schedule?.end ? wallTime(schedule.end, zone) : '',
    'schedule.maxConcurrent': String(schedule?.maxConcurrent ?? 10),
    'schedule.retryAttempts': String(schedule?.retryAttempts ?? 2),
    'schedule.retryGapMin': String(schedule?.retryGapMin ?? 60),
    maxCps: String(campaign?.maxCps ?? 1),
    retryOn: campaign?.retryOn ?? [...retryable],
  };
}

type Values = ReturnType<typeof valuesOf>;

/** The caller number alone, or with the further ones behind it. */
function numbersOf({ phoneNumberId, phoneNumberIds }: Values): Pick<NewCampaign, 'phoneNumberId' | 'phoneNumberIds'> {
  const further = phoneNumberIds.filter((id) => id !== phoneNumberId);
  if (further.length === 0) return { phoneNumberId: orNull(phoneNumberId) };
  return { phoneNumberIds: phoneNumberId === '' ? further : [phoneNumberId, ...further] };
}

const bodyOf = (values: Values): NewCampaign => ({
  name: values.name,
  agentId: orNull(values.agentId),
  ...numbersOf(values),
  localPresence: values.localPresence,
  schedule: {
    timezone: values['schedule.timezone'],
    windowStart: orNull(values['schedule.windowStart']),
    windowEnd: orNull(values['schedule.windowEnd']),
    windowDays: values['schedule.windowDays'].map(Number),
    start: orNull(values['schedule.start']),
    end: orNull(values['schedule.end']),
    maxConcurrent: numberOf(values['schedule.maxConcurrent']),
    retryAttempts: numberOf(values['schedule.retryAttempts']),
    retryGapMin: numberOf(values['schedule.retryGapMin']),
  },
  maxCps: numberOf(values.maxCps),
  retryOn: [...values.retryOn] as Campaign['retryOn'],
});

/** Start and end are shown as times of the zone, so another zone gives them anew. */
function changesOf(saved: Values, values: Values): Partial<NewCampaign> {
  const body = bodyOf(values);
  const changes = changedFields(bodyOf(saved), body);
  if (changes.schedule?.timezone === undefined) return changes;
  const { start = null, end = null } = body.schedule!;
  return { ...changes, schedule: { ...changes.schedule, start, end } };
}

type Props = {
  choices: Choices;
  campaign?: Campaign;
  zones?: readonly CampaignZone[] | undefined;
  submit: string;
  success?: string;
  save(body: Partial<NewCampaign>, options: Omit<SaveOptions<never>, 'saved'>): Promise<Campaign | void>;
  reload?: () => Promise<Campaign>;
  /** Forecast for the fields as they are, not yet saved. */
  forecast?: (body: NewCampaign) => ComponentChildren;
};

export function CampaignForm({ choices, campaign, zones, submit, success, save, reload, forecast }: Props) {
  const form = useForm({
    initial: valuesOf(campaign),
    ...(success === undefined ? {} : { success }),
    edited: editedThing(campaign, reload, valuesOf),
    save: (values, { saved, ...options }) => save(campaign ? changesOf(saved, values) : bodyOf(values), options),
  });
  useFieldOfAddress();
  return (
    <Form form={form} failed={campaigns.saveFailed}>
      <div class="columns two-one">
        <div class="stack">
          <section>
            <h2>{campaigns.parts.who}</h2>
            <WhoFields form={form} choices={choices} />
          </section>
          <section>
            <h2>{campaigns.parts.when}</h2>
            <WindowFields form={form} />
          </section>
          <section>
            <h2>{campaigns.parts.pace}</h2>
            <PaceFields form={form} />
          </section>
          <Submit form={form} text={submit} />
        </div>
        <div class="stack">
          {forecast?.(bodyOf(form.values))}
          <WeekGrid
            timezone={form.values['schedule.timezone']}
            windowStart={orNull(form.values['schedule.windowStart'])}
            windowEnd={orNull(form.values['schedule.windowEnd'])}
            windowDays={form.values['schedule.windowDays'].map(Number)}
            zones={zones}
          />
        </div>
      </div>
    </Form>
  );
}

const numberText = (phone: string, name: string | null): string => (name === null ? phone : `${phone} ${name}`);

function WhoFields({ form, choices }: { form: FormState<Values>; choices: Choices }) {
  const option = (id: string, text: string) => ({ value: id, text });
  return (
    <>
      <TextField form={form} name="name" label={campaigns.name} />
      <div class="fields">
        <SelectField
          form={form}
          name="agentId"
          label={campaigns.agent}
          options={[option('', campaigns.choose), ...choices.agents.map(({ id, agentName }) => option(id, agentName))]}
        />
        <SelectField
          form={form}
          name="phoneNumberId"
          label={campaigns.number}
          options={[
            option('', campaigns.choose),
            ...choices.numbers.map(({ id, phone, name }) => option(id, numberText(phone, name))),
          ]}
        />
      </div>
      <FurtherNumbers form={form} numbers={choices.numbers} />
    </>
  );
}

/** Caller numbers beside the first, where there is more than one number. */
function FurtherNumbers({ form, numbers }: { form: FormState<Values>; numbers: readonly PhoneNumber[] }) {
  const further = numbers.filter(({ id }) => id !== form.values.phoneNumberId);
  if (further.length === 0 || numbers.length < 2) return null;
  return (
    <>
      <CheckGroup
        form={form}
        name="phoneNumberIds"
        label={campaigns.furtherNumbers}
        hint={campaigns.furtherNumbersHint}
        options={further.map(({ id, phone, name }) => ({ value: id, text: numberText(phone, name) }))}
      />
      <CheckField form={form} name="localPresence" label={campaigns.local} hint={campaigns.localHint} />
    </>
  );
}

function WindowFields({ form }: { form: FormState<Values> }) {
  return (
    <>
      <div class="fields">
        <TextField form={form} name="schedule.windowStart" label={campaigns.opensAt} type="time" />
        <TextField
          form={form}
          name="schedule.windowEnd"
          label={campaigns.closesAt}
          type="time"
          hint={campaigns.hoursHint}
        />
      </div>
      <TextField
        form={form}
        name="schedule.timezone"
        label={campaigns.zone}
        hint={campaigns.zoneHint}
        list="campaign-zones"
      />
      <datalist id="campaign-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <CheckGroup
        form={form}
        name="schedule.windowDays"
        label={campaigns.days}
        options={common.dayNames.map((text, index) => ({ value: String(index + 1), text }))}
      />
      <div class="fields">
        <TextField
          form={form}
          name="schedule.start"
          label={campaigns.start}
          type="datetime-local"
          hint={campaigns.startHint}
        />
        <TextField
          form={form}
          name="schedule.end"
          label={campaigns.end}
          type="datetime-local"
          hint={campaigns.endHint}
        />
      </div>
    </>
  );
}

function PaceFields({ form }: { form: FormState<Values> }) {
  return (
    <>
      <div class="fields">
        <TextField
          form={form}
          name="schedule.maxConcurrent"
          label={campaigns.atATime}
          type="number"
          min={1}
          max={1000}
        />
        <TextField form={form} name="maxCps" label={campaigns.perSecond} type="number" min={1} max={100} />
        <TextField form={form} name="schedule.retryAttempts" label={campaigns.retries} type="number" min={0} max={10} />
        <TextField
          form={form}
          name="schedule.retryGapMin"
          label={campaigns.retryGap}
          type="number"
          min={1}
          max={10_080}
        />
      </div>
      <CheckGroup
        form={form}
        name="retryOn"
        label={campaigns.retryOn}
        options={retryable.map((value) => ({ value, text: valueText(value) }))}
      />
    </>
  );
}
