import { waitingTimes } from '../../base/meters.ts';
import { appCounter, appHistogram } from '../../kernel/meters.ts';
import type { AttemptOutcome } from './attempt.ts';

export const eventDelays = appHistogram(
  {
    name: 'parley_event_delay_seconds',
    help: 'Time from the end of a call to the first attempt to deliver its event, for each endpoint.',
  },
  waitingTimes,
);

export const deliveryAttempts = appCounter({
  name: 'parley_delivery_attempts_total',
  help: 'Attempts to deliver an event since the start, by outcome: ok, the status class of a refusal, or no_answer.',
  labelled: true,
});

/** The label of an attempt in `parley_delivery_attempts_total`. */
export function attemptLabel({ attempt, result }: AttemptOutcome): string {
  if (result.ok) return 'ok';
  return attempt.statusCode === null ? 'no_answer' : `${Math.floor(attempt.statusCode / 100)}xx`;
}
