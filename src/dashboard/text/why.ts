import { count, number } from './plural.ts';

/** Why somebody is not called now, and when it rings. */
export const why = {
  heading: 'When does it ring?',
  title: (phone: string) => `Why is ${phone} not called now?`,
  dialable: 'Nothing stands against it: it is called as soon as its turn comes.',
  never: 'It will not be called again.',
  held: 'It does not ring until somebody ends what holds it back.',
  in: 'In',
  notRunning: 'In no campaign that may still call.',
  rings: (about: boolean) => (about ? 'It rings about' : 'It rings'),
  later: 'It does not ring in the next 24 hours. It may be called again from',
  causeBy: (by: string | null, reason: string | null) =>
    `${reason === null ? '' : `“${reason}”. `}${by === null ? 'Since' : `By ${by},`}`,
  window: 'Calling window',
  windowOf: (start: string | null, end: string | null, timezone: string, isOwn: boolean) =>
    `${start ?? '00:00'}–${end ?? '24:00'} by the clock of ${timezone}, ${isOwn ? 'the zone of the contact' : 'the zone of the campaign'}`,
  localTime: (time: string) => `It is ${time} there now.`,
  list: 'Do not call',
  onList: 'On the do-not-call list since',
  optedOut: 'Opted out since',
  reason: (reason: string) => `, reason ${reason}`,
  retry: 'Retries',
  retryOf: (attempt: number, allowed: number) => `Attempt ${number(attempt)} of ${number(allowed)}`,
  ahead: (n: number) => `${count(n, 'contact is', 'contacts are')} called before`,
  lines: (inFlight: number, allowed: number) => `${number(inFlight)} of ${count(allowed, 'line', 'lines')} in use`,
  look: (name: string) => `Look at ${name}`,
  lookAtCall: (phone: string | null) => `Look at the call${phone === null ? '' : ` to ${phone}`}`,
  kinds: {
    campaign: 'the campaign',
    agent: 'the agent',
    number: 'the number',
    contact: 'the contact',
    organization: 'the organization',
    call: 'the call',
  },
  next24: 'The next 24 hours',
  lanes: {
    window: 'Calling window',
    retry: 'Retry gap',
    do_not_call: 'Do-not-call list',
    status: 'Campaign and contact',
    limits: 'Lines and pace',
    rings: 'It rings',
  },
  states: { open: 'Allows', closed: 'Forbids', held: 'Held until somebody acts' },
  ring: 'Rings',
  spanText: (lane: string, state: string, from: string, to: string) =>
    `${lane}: ${state.toLowerCase()}, ${from} to ${to}`,
  ringText: (attempt: number, at: string, about: boolean, isNext: boolean) =>
    `It rings ${about ? 'about ' : ''}${at}, attempt ${number(attempt)}${isNext ? '' : `, if nobody answers attempt ${number(attempt - 1)}`}`,
  readHours: 'Point at an hour to read it, or use the arrow keys.',
  touchHours: 'Touch an hour to read it.',
  laneText: (lane: string, states: readonly string[]) => `${lane}: ${states.join(', then ').toLowerCase()}`,
  ringAt: (at: string) => `it rings ${at}`,
  hourText: (from: string, parts: readonly string[]) => `From ${from}: ${parts.join('; ')}`,
  noRing: 'It does not ring in these hours.',
};
