import type { Why } from '../../client.ts';
import { path } from '../../state/location.ts';
import { zone } from '../../state/preferences.ts';
import { common } from '../../text/en.ts';
import { why as texts } from '../../text/why.ts';
import { Swatch } from '../chart.tsx';
import { Facts } from '../facts.tsx';
import { Instant, textIn } from '../time.tsx';
import { hasKeyboard } from '../../state/screen.ts';
import { hourMs } from '../wall-clock.ts';
import { useReading } from './reading.ts';

/** What keeps a contact that waits from being called for good; all else without an end, such as a pause, somebody may end. */
const forGood: ReadonlySet<Why['reason_codes'][number]> = new Set([
  'do_not_call',
  'no_phone',
  'contact_deleted',
  'no_more_retries',
]);

/**
 * When the telephone rings, as one statement: at an instant within the hours of the strip, later, or never. `next_attempt_at` is the earliest
 * instant that the calling window and the retry gap allow; lines and pace decide when it rings.
 */
export function RingStatement({ why }: { why: Why }) {
  const { status, dialable_now: isDialable, next_attempt_at: next, reason_codes: codes, strip } = why;
  const [ring] = strip?.rings ?? [];
  if (ring) {
    return (
      <>
        {texts.rings(ring.estimate)} <Instant at={ring.at} relative />
      </>
    );
  }
  if (strip && next !== null && (next > strip.to || codes.includes('waiting_for_retry'))) {
    return (
      <>
        {next > strip.to ? texts.later : texts.turnLater} <Instant at={next} relative />
      </>
    );
  }
  if (next !== null || isDialable) return <>{texts.noRing}</>;
  const canEnd = status === 'pending' && !codes.some((code) => forGood.has(code));
  return <>{canEnd ? texts.held : texts.never}</>;
}

/** Why somebody is not called at this moment, in sentences, with what ends it. */
export function WhyFacts({ why }: { why: Why }) {
  const { dialable_now: isDialable, reasons, cause, explain } = why;
  return (
    <>
      {isDialable && <p>{texts.dialable}</p>}
      {reasons.length > 0 && (
        <ul>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {cause && (
        <p>
          {texts.causeBy(cause.by?.name ?? null, cause.reason)} <Instant at={cause.at} relative />
        </p>
      )}
      <Facts
        facts={[
          [texts.window, <WindowFact explain={explain} />],
          [texts.list, explain.do_not_call && <ListFact list={explain.do_not_call} />],
          [texts.retry, explain.retry && texts.retryOf(explain.retry.attempt, explain.retry.attempts_allowed)],
          [
            texts.lanes.limits,
            `${texts.lines(explain.limits.in_flight, explain.limits.allowed)}. ${texts.ahead(explain.limits.ahead)}.`,
          ],
        ]}
      />
      <SubjectLink subject={explain.subject} />
    </>
  );
}

type Explain = Why['explain'];

function WindowFact({ explain: { window } }: { explain: Explain }) {
  return (
    <>
      {texts.windowOf(window.start, window.end, window.timezone, window.source === 'contact')}.{' '}
      {texts.localTime(window.local_time)}
    </>
  );
}

function ListFact({ list: { on_list: onList, since, reason } }: { list: NonNullable<Explain['do_not_call']> }) {
  return (
    <>
      {onList ? texts.onList : texts.optedOut} <Instant at={since} />
      {reason !== null && texts.reason(reason)}
    </>
  );
}

/** Where a thing is looked at and mended. */
const pageOf: Readonly<Record<NonNullable<Explain['subject']>['kind'], (id: string) => string>> = {
  campaign: (id) => `/campaigns/${id}?tab=settings`,
  agent: (id) => `/agents/${id}?tab=settings`,
  contact: (id) => `/contacts/${id}`,
  call: (id) => `/calls/${id}`,
  number: () => '/numbers',
  organization: () => '/system',
};

/** Leads to what holds the call. */
function SubjectLink({ subject }: { subject: Explain['subject'] }) {
  if (subject === null) return null;
  const { kind, id, name } = subject;
  const href = pageOf[kind](id);
  if (href === path.value) return null;
  return (
    <p>
      <a href={href}>{kind === 'call' ? texts.lookAtCall(name) : texts.look(name ?? texts.kinds[kind])}</a>
    </p>
  );
}

type Strip = NonNullable<Why['strip']>;
type State = Strip['lanes'][number]['spans'][number]['state'];

const kinds: Readonly<Record<State, 'allow' | 'deny' | 'hold'>> = { open: 'allow', closed: 'deny', held: 'hold' };
/** So wide is the mark of a ring, in hundredths of the strip. */
const ringWidth = 0.8;
const marks = 8;

type Lane = { name: string; spans: Strip['lanes'][number]['spans'] };

/** What holds in an hour of the strip: the states of each lane, one after the other, and when it rings. */
function readingAt(strip: Strip, lanes: readonly Lane[], index: number): string {
  const from = Date.parse(strip.from) + index * hourMs;
  const isWithin = (at: string, until: string): boolean => Date.parse(at) < from + hourMs && Date.parse(until) > from;
  const states = lanes.map(({ name, spans }) => {
    const within = spans.filter((span) => isWithin(span.from, span.to)).map(({ state }) => texts.states[state]);
    return texts.laneText(name, [...new Set(within)]);
  });
  const rings = strip.rings.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < from + hourMs);
  return texts.hourText(timeOf(from), [...states, ...rings.map(({ at }) => texts.ringAt(timeOf(Date.parse(at))))]);
}

/** The drawing of the lanes. Pointer and arrow keys read an hour. */
function Lanes({ strip, lanes }: { strip: Strip; lanes: readonly Lane[] }) {
  const [from, to] = [Date.parse(strip.from), Date.parse(strip.to)];
  const x = (iso: string): number => ((Date.parse(iso) - from) / (to - from)) * 100;
  const count = Math.max(1, Math.round((to - from) / hourMs));
  const textAt = (index: number): string => readingAt(strip, lanes, index);
  const { at, text, attributes } = useReading({ name: texts.next24, count, textAt });
  const onPointerMove = ({ clientX, target }: PointerEvent): void => {
    const lane = (target as Element).closest('svg')?.getBoundingClientRect();
    if (lane) at.value = Math.min(count - 1, Math.max(0, Math.floor(((clientX - lane.left) / lane.width) * count)));
  };
  const cross = at.value !== undefined && (
    <path class="cross" d={`M${((at.value + 0.5) / count) * 100} 0V10`} vector-effect="non-scaling-stroke" />
  );
  return (
    <div class="lanes" {...attributes} onPointerMove={onPointerMove} onPointerDown={onPointerMove}>
      {lanes.map(({ name, spans }) => [
        <span key={name}>{name}</span>,
        <svg key={`${name} lane`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
          {spans.map((span) => (
            <rect
              key={span.from}
              class={kinds[span.state]}
              x={x(span.from)}
              width={Math.max(0, x(span.to) - x(span.from))}
              height="10"
            />
          ))}
          {cross}
        </svg>,
      ])}
      <span>{texts.lanes.rings}</span>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="deny" width="100" height="10" />
        {strip.rings.map(({ at: ring, attempt }) => (
          <rect key={attempt} class="ring" x={Math.min(x(ring), 100 - ringWidth)} width={ringWidth} height="10" />
        ))}
        {cross}
      </svg>
      <span class="gap" />
      <span class="x" aria-hidden="true">
        {Array.from({ length: marks }, (_, index) => (
          <span key={index}>{timeOf(from + ((to - from) / marks) * index)}</span>
        ))}
      </span>
      <span class="reading small">{text ?? (hasKeyboard ? texts.readHours : texts.touchHours)}</span>
    </div>
  );
}

/** The hours to come as lanes of what allows and forbids a call, and the instants at which it rings. Read out as a list. */
export function RingStrip({ strip }: { strip: Strip }) {
  const shown = (iso: string): string => textIn(iso, zone.value);
  const lanes = strip.lanes.map(({ lane, spans }) => ({ name: texts.lanes[lane], spans }));
  return (
    <>
      <Lanes strip={strip} lanes={lanes} />
      <ul class="legend" aria-hidden="true">
        {(['open', 'closed', 'held'] as const).map((state) => (
          <li key={state}>
            <Swatch kind={kinds[state]} />
            {texts.states[state]}
          </li>
        ))}
        <li>
          <Swatch kind="ring" />
          {texts.ring}
        </li>
      </ul>
      <ol class="visually-hidden" aria-label={texts.next24} aria-description={common.timesIn(zone.value)}>
        {strip.rings.map(({ at, attempt, estimate }, index) => (
          <li key={`ring ${attempt}`}>{texts.ringText(attempt, shown(at), estimate, index === 0)}</li>
        ))}
        {strip.rings.length === 0 && <li>{texts.noRing}</li>}
        {lanes.flatMap(({ name, spans }) =>
          spans.map((span) => (
            <li key={`${name} ${span.from}`}>
              {texts.spanText(name, texts.states[span.state], shown(span.from), shown(span.to))}
            </li>
          )),
        )}
      </ol>
    </>
  );
}

const timeOf = (ms: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone.value, hour: '2-digit', minute: '2-digit' }).format(ms);
