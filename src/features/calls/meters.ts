import { waitingTimes } from '../../base/meters.ts';
import { appCounter, appHistogram } from '../../kernel/meters.ts';

/** By outcome, carrier driver and direction. Counted when the end is committed. */
export const callsEnded = appCounter({
  name: 'parley_calls_ended_total',
  help: 'Calls ended since the start, by outcome, carrier and direction.',
  labelled: true,
});

export const dialDelays = appHistogram(
  {
    name: 'parley_dial_delay_seconds',
    help: 'Time from an attempt (the instant its call was due) to its hand-over to the carrier.',
  },
  waitingTimes,
);
