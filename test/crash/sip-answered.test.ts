import { test } from 'node:test';
import { kills, survive } from './sip-kill.ts';

/** The second half of the kills, in a file of its own because each takes seconds. */
for (const kill of kills.slice(5)) {
  const [point, until] = kill;
  test(`killed at ${point} (${until}), no dialog is left at the trunk, nobody is called twice, and the call has ended`, (t) =>
    survive(t, kill));
}
