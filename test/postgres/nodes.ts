import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Environment, type RunningCommand, scratch, startCommand } from '../cli/support.ts';
import { freePort } from '../support/sip/free-port.ts';

export type StandingBy = RunningCommand & { data: string; at: string };

/** Starts a second node on the database of a first one, and waits until it stands by. */
export async function standBy(
  t: TestContext,
  url: string,
  secrets: string,
  env: Environment = {},
): Promise<StandingBy> {
  const data = join(scratch(t), 'second');
  mkdirSync(data);
  copyFileSync(secrets, join(data, 'secrets.json'));
  const port = await freePort();
  const node = startCommand(t, ['serve', '--data', data, '--port', String(port), '--set', 'node.name=second'], {
    PARLEY_STORE_URL: url,
    ...env,
  });
  await node.shows(/standing by/);
  return { ...node, data, at: `http://127.0.0.1:${port}` };
}
