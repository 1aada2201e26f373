import { count, number } from './plural.ts';

/** Stopping all calling, and going on. */
export const calling = {
  stop: 'Stop all calling',
  resume: 'Resume calling',
  isStopped: 'Calling is stopped',
  title: 'Stop all calling?',
  campaigns: (n: number) => `${count(n, 'campaign stops', 'campaigns stop')} at once, and no further call is started.`,
  inFlight: (ringing: number, talking: number) =>
    ringing + talking === 0
      ? 'Nobody is on the phone.'
      : `${count(ringing + talking, 'call is', 'calls are')} in flight: ${number(talking)} talking, ${number(ringing)} not answered yet.`,
  hangUp: 'What happens to these calls',
  options: {
    ringing: (talking: number) =>
      `Hang up what only rings; ${talking === 1 ? 'the one that talks ends' : 'those that talk end'} by ${talking === 1 ? 'itself' : 'themselves'}`,
    all: (n: number) => (n === 1 ? 'Hang it up now' : `Hang up all ${number(n)} now`),
    none: () => 'Hang up nothing',
  },
  reason: 'Reason',
  reasonHint: 'Others read it beside the stop, and in the audit log',
  after: '“Resume calling” brings the campaigns back as they were. Test calls and incoming calls go on.',
  stopped: (campaigns: number, hungUp: number) =>
    `Calling is stopped: ${count(campaigns, 'campaign', 'campaigns')} held, ${count(hungUp, 'call', 'calls')} hung up.`,
  resumed: (n: number, not: number) =>
    `${count(n, 'campaign runs', 'campaigns run')} again.${not === 0 ? '' : ` ${count(not, 'was', 'were')} paused or ended meanwhile and stay as they are.`}`,
  pause: (name: string) => `Pause ${name}`,
  resumeOne: (name: string) => `Resume ${name}`,
  paused: (name: string) => `${name} is paused.`,
  resumedOne: (name: string) => `${name} goes on.`,
};
