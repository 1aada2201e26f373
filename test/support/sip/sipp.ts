import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { freePorts, listens, startProgram, temporaryDirectory } from './program.ts';

/** A trunk played by sipp: it answers, or places, `calls` calls as its scenario says, and ends. */
export type Sipp = {
  /** Host and port, as a number's `termination_uri`. */
  uri: string;
  port: number;
  /** The messages that it sent and received, in order, with sipp's own lines between them. */
  messages(): string;
  /** Resolves when all calls went as the scenario says, and rejects with sipp's own words when one did not. */
  succeeded(): Promise<void>;
  /** Resolves with the value of `result` once all calls have gone as the scenario says; rejects as soon as one does not. */
  agrees<T>(result: Promise<T>): Promise<T>;
  stop(): Promise<void>;
};

export type SippOptions = {
  transport?: 'udp' | 'tcp';
  calls?: number;
  /** Values of the scenario's own keywords: `[status]` is that of `status`. */
  keys?: Readonly<Record<string, string>>;
  /** Further arguments of sipp. */
  args?: readonly string[];
  /** Its own address. */
  address?: string;
  /** Where it calls, as host and port; without it, it answers. */
  target?: string;
};

const scenarios = resolve(import.meta.dirname, '../../sip/scenarios');

export async function startSipp(t: TestContext, scenario: string, options: SippOptions = {}): Promise<Sipp> {
  const { transport = 'udp', calls = 1, keys = {}, args = [], address = '127.0.0.1', target } = options;
  const directory = temporaryDirectory(t);
  const [port, mediaPort] = [await freePorts(2), await freePorts(4)];
  const file = (name: string): string => join(directory, name);
  const read = (name: string): string => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : '');
  // Not by sipp's own -key, which comes too late for a status.
  const written = Object.entries(keys).reduce(
    (text, [name, value]) => text.replaceAll(`[${name}]`, value),
    readFileSync(join(scenarios, `${scenario}.xml`), 'utf8'),
  );
  writeFileSync(file('scenario.xml'), written);
  const program = startProgram(
    t,
    'sipp',
    [
      ...['-sf', file('scenario.xml'), '-nostdin', '-m', String(calls)],
      ...['-i', address, '-p', String(port), '-mi', address, '-mp', String(mediaPort)],
      ...['-t', transport === 'udp' ? 'u1' : 't1', '-skip_rlimit', '-watchdog_interval', '0'],
      ...['-trace_msg', '-message_file', file('messages'), '-trace_err', '-error_file', file('errors')],
      ...args,
      ...(target === undefined ? [] : [target]),
    ],
    directory,
  );
  if (target === undefined) await listens(program, port, transport);
  async function succeeded(): Promise<void> {
    const code = await program.ended;
    assert.equal(code, 0, `sipp ended with ${code}:\n${read('errors')}\n${read('messages').slice(-8000)}`);
  }
  return {
    uri: `${address.includes(':') ? `[${address}]` : address}:${port}`,
    port,
    messages: () => read('messages'),
    succeeded,
    agrees: async (result) => (await Promise.all([result, succeeded()]))[0],
    stop: () => program.stop(),
  };
}
