import { useSignal } from '@preact/signals';
import { api, type CalendarEventType, listCalendarSlots, lookUpEventType } from '../../client.ts';
import { Facts } from '../../parts/facts.tsx';
import { Form, Submit, TextField } from '../../parts/form.tsx';
import { Instant } from '../../parts/time.tsx';
import { isoOf } from '../../parts/wall-clock.ts';
import { knownNow } from '../../state/clock.ts';
import { useForm } from '../../state/form.ts';
import { zone } from '../../state/preferences.ts';
import { session } from '../../state/session.ts';
import { calendar } from '../../text/calendar.ts';

const weekMs = 604_800_000;

type Found = { type: CalendarEventType; slots: ReadonlyArray<{ start: string }> };

async function find(name: string): Promise<Found> {
  const org = { org_id: session.value!.organization.id };
  const { data: type } = await lookUpEventType(api, { params: { platform_id: name }, query: org });
  const now = knownNow();
  const query = {
    ...org,
    event_type_id: Number(type.id),
    start: isoOf(now),
    end: isoOf(now + weekMs),
    timezone: zone.value,
  };
  return { type, slots: (await listCalendarSlots(api, { query })).data.slots };
}

/** Looks up an event type as an agent would, with its free times of a week. */
export function TryEventType() {
  const found = useSignal<Found | undefined>(undefined);
  const form = useForm({
    initial: { platform_id: '' },
    guards: false,
    success: '',
    async save({ platform_id: name }) {
      found.value = undefined;
      found.value = await find(name.trim());
    },
  });
  return (
    <section>
      <h2>{calendar.try}</h2>
      <Form form={form}>
        <TextField form={form} name="platform_id" label={calendar.eventType} hint={calendar.eventTypeHint} />
        <Submit form={form} text={calendar.lookUp} />
      </Form>
      {found.value && <FoundType {...found.value} />}
    </section>
  );
}

function FoundType({ type, slots }: Found) {
  return (
    <>
      <Facts
        facts={[
          [calendar.title, type.title],
          [calendar.duration, calendar.minutes(type.duration_minutes)],
          [calendar.price, type.price === null ? null : [type.price, type.currency].filter(Boolean).join(' ')],
          [calendar.active, type.is_active ? calendar.yes : calendar.no],
          [calendar.description, type.description],
        ]}
      />
      <h3>{calendar.slots}</h3>
      {slots.length === 0 ? (
        <p>{calendar.noSlots}</p>
      ) : (
        <ul>
          {slots.map(({ start }) => (
            <li key={start}>
              <Instant at={start} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
