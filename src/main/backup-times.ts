import { Cron } from 'croner';
import { dateOf, isoOf } from '../base/clock.ts';

/** The first time of the schedule after an instant, in the time zone of the server. @throws for a pattern that never comes */
export function nextBackup(schedule: string, afterMs: number): number {
  const next = new Cron(schedule, { mode: '5-part' }).nextRun(dateOf(afterMs));
  if (next === null) throw new Error(`backup.schedule ${schedule} has no time after ${isoOf(afterMs)}`);
  return next.getTime();
}
