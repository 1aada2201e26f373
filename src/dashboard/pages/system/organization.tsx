import { api, getOrganization, type Organization, updateOrganization } from '../../client.ts';
import { Facts } from '../../parts/facts.tsx';
import { CheckGroup, Form, Submit, TextField } from '../../parts/form.tsx';
import { Loaded } from '../../parts/page.tsx';
import { editedThing, numberOf, orNull, useForm } from '../../state/form.ts';
import { useResource } from '../../state/resource.ts';
import { isAdmin } from '../../state/session.ts';
import { common } from '../../text/en.ts';
import { list, number } from '../../text/plural.ts';
import { systemTexts as text } from '../../text/system.ts';

type Changes = Parameters<typeof updateOrganization>[1]['body'];

const everyDay = ['1', '2', '3', '4', '5', '6', '7'];
const limitText = (limit: number | null): string => (limit === null ? '' : String(limit));
const limitOf = (typed: string): number | null => (typed.trim() === '' ? null : numberOf(typed));

const valuesOf = ({
  name,
  timezone,
  notification_emails: emails,
  contact_limits: limits,
  guard_hours: guard,
}: Organization) => ({
  name,
  timezone,
  notification_emails: emails.join('\n'),
  'contact_limits.max_per_day': limitText(limits.max_per_day),
  'contact_limits.max_per_week': limitText(limits.max_per_week),
  'contact_limits.min_gap_min': limitText(limits.min_gap_min),
  'guard_hours.start': guard?.start ?? '',
  'guard_hours.end': guard?.end ?? '',
  'guard_hours.days': guard ? guard.days.map(String) : everyDay,
});

type Values = ReturnType<typeof valuesOf>;

function guardOf(values: Values): NonNullable<Changes['guard_hours']> | null {
  const start = orNull(values['guard_hours.start']);
  const end = orNull(values['guard_hours.end']);
  const days = values['guard_hours.days'].map(Number);
  if (start === null && end === null && days.length === everyDay.length) return null;
  return { start: start ?? '00:00', end: end ?? '23:59', days };
}

const bodyOf = (values: Values): Required<Changes> => ({
  name: values.name,
  timezone: values.timezone,
  notification_emails: values.notification_emails.split(/[\s,;]+/).filter((each) => each !== ''),
  contact_limits: {
    max_per_day: limitOf(values['contact_limits.max_per_day']),
    max_per_week: limitOf(values['contact_limits.max_per_week']),
    min_gap_min: limitOf(values['contact_limits.min_gap_min']),
  },
  guard_hours: guardOf(values),
});

/** The parts of a body that differ. Limits and hours are sent whole: the interface replaces them as a whole. */
function changesOf(saved: Values, values: Values): Changes {
  const before = bodyOf(saved);
  const isChanged = ([name, value]: [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof Changes]);
  return Object.fromEntries(Object.entries(bodyOf(values)).filter(isChanged));
}

/** What holds for the whole organization: a form for admins, else the facts. */
export function OrganizationSection() {
  const loaded = useResource('organization', async (signal) => (await getOrganization(api, { signal })).data);
  return (
    <section aria-labelledby="organization">
      <h2 id="organization">{text.organization}</h2>
      <Loaded of={loaded}>
        {(organization) =>
          isAdmin.value ? <OrganizationForm organization={organization} /> : <OrganizationFacts {...organization} />
        }
      </Loaded>
    </section>
  );
}

function OrganizationForm({ organization }: { organization: Organization }) {
  const form = useForm<Values>({
    initial: valuesOf(organization),
    edited: editedThing(organization, async () => (await getOrganization(api)).data, valuesOf),
    async save(values, { saved, basedOn }) {
      const { data } = await updateOrganization(api, { body: changesOf(saved, values), ...basedOn });
      form.reset(valuesOf(data));
      return data;
    },
  });
  const field = (name: keyof Values, label: string, hint?: string) => ({ form, name, label, hint });
  return (
    <Form form={form}>
      <div class="fields">
        <TextField {...field('name', text.name)} />
        <TextField {...field('timezone', text.timezone, text.timezoneHint)} list="organization-zones" />
      </div>
      <datalist id="organization-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <TextField {...field('notification_emails', text.notices, text.noticesHint)} lines={2} />
      <h3>{text.limits}</h3>
      <p class="quiet">{text.limitsText}</p>
      <div class="fields">
        <TextField {...field('contact_limits.max_per_day', text.maxPerDay)} type="number" min={1} />
        <TextField {...field('contact_limits.max_per_week', text.maxPerWeek)} type="number" min={1} />
        <TextField {...field('contact_limits.min_gap_min', text.minGap)} type="number" min={1} />
        <TextField {...field('guard_hours.start', text.guardStart, text.guardHint)} type="time" />
        <TextField {...field('guard_hours.end', text.guardEnd)} type="time" />
      </div>
      <CheckGroup
        {...field('guard_hours.days', text.guardDays)}
        options={common.dayNames.map((name, index) => ({ value: String(index + 1), text: name }))}
      />
      <Submit form={form} text={common.save} />
    </Form>
  );
}

function OrganizationFacts({ name, timezone, contact_limits: limits, guard_hours: guard }: Organization) {
  const told = (limit: number | null): string => (limit === null ? text.noLimit : number(limit));
  const days = guard?.days ?? everyDay.map(Number);
  return (
    <Facts
      facts={[
        [text.name, name],
        [text.timezone, timezone],
        [text.maxPerDay, told(limits.max_per_day)],
        [text.maxPerWeek, told(limits.max_per_week)],
        [text.minGap, told(limits.min_gap_min)],
        [text.guardDays, list(days.map((day) => common.dayNames[day - 1]!))],
        [text.guardStart, guard?.start ?? text.anyHour],
        [text.guardEnd, guard?.end ?? text.anyHour],
      ]}
    />
  );
}
