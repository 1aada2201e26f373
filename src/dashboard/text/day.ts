import { count, duration, number } from './plural.ts';

/** How sentences name the earlier span of time that figures are compared with. */
export type Earlier = { name: string; whole: string; during: string };

/** The figures of a day. */
export const day = {
  figures: 'Figures of today',
  names: ['Answer rate', 'Goals met', 'Minutes', 'Cost'],
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
  against: (now: number, then: number, than: Earlier) =>
    then === 0 ? `No calls ${than.during}` : `${signed(Math.round((now / then - 1) * 100))}% on ${than.whole}`,
  pointsAgainst: (now: number | null, then: number | null, than: Earlier) =>
    now === null || then === null
      ? `No calls ${than.during}`
      : `${signed(Math.round((now - then) * 1000) / 10)} points on ${than.name}`,
  lastWeekday: (weekday: string): Earlier => ({
    name: `last ${weekday}`,
    whole: `all of last ${weekday}`,
    during: `last ${weekday}`,
  }),
  daysBefore: (days: number): Earlier => ({
    name: `the ${days} days before`,
    whole: `the ${days} days before`,
    during: `in the ${days} days before`,
  }),
  ghostBefore: (days: number) => `${days} days before`,
  spanFigures: (days: number) => `Figures of ${days} days`,
  spanCalls: 'Calls',
  byDay: 'Calls by day',
  dayStep: 'Day',
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
