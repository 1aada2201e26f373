import { count, duration, number } from './plural.ts';

/** The figures of a day. */
export const day = {
  figures: 'Figures of today',
  names: ['Calls today', 'Answer rate', 'Goals met', 'Minutes', 'Cost'],
  calls: 'Calls today',
  answerRate: 'Answer rate',
  goals: 'Goals met',
  minutes: 'Minutes',
  cost: 'Cost',
  noGoals: 'No goal met yet',
  noMinutes: 'Nobody talked yet',
  goalRate: (rate: string) => `${rate} of those judged`,
  perCall: (seconds: number) => `${duration(seconds)} a call`,
  perGoal: (cost: string) => `${cost} a goal met`,
  last: (weekday: string) => `Last ${weekday}`,
  against: (now: number, then: number, weekday: string) =>
    then === 0
      ? `No calls last ${weekday}`
      : `${signed(Math.round((now / then - 1) * 100))} % on all of last ${weekday}`,
  pointsAgainst: (now: number | null, then: number | null, weekday: string) =>
    now === null || then === null
      ? `No calls last ${weekday}`
      : `${signed(Math.round((now - then) * 1000) / 10)} points on last ${weekday}`,
  byHour: 'The day by hour',
  hour: 'Hour',
  outcomes: {
    goal: 'Goal met',
    answered: 'Answered',
    voicemail: 'Voicemail',
    noAnswer: 'No answer',
    busy: 'Busy',
    failed: 'Failed',
  },
  onThePhone: 'On the phone',
  allCalls: (n: number) => (n === 0 ? 'All calls' : `${count(n, 'call', 'calls')}, all of them`),
  latest: 'Latest calls',
  nobody: 'Nobody is on the phone.',
  more: (n: number) => `And ${count(n, 'more', 'more')}.`,
  longest: (length: string) => `longest ${length}`,
};

const signed = (value: number): string => `${value > 0 ? '+' : value < 0 ? '−' : '±'}${number(Math.abs(value))}`;
