import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog, type LogOptions } from '../../../src/base/log.ts';

/** Everything that a log writes during `act`. */
function written(format: LogOptions['format'], act: (log: ReturnType<typeof createLog>) => void): string {
  let all = '';
  const destination = { write: (line: string) => ((all += line), true) };
  act(createLog('info', { destination, ...(format === undefined ? {} : { format }) }));
  return all;
}

const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

test('the json format writes one JSON object per line', () => {
  const line = written(undefined, (log) => log.info({ port: 80 }, 'listening'));
  const { time: at, ...rest } = JSON.parse(line) as { time: string };
  assert.match(at, new RegExp(`^${time}$`));
  assert.deepEqual(rest, { level: 'info', port: 80, msg: 'listening' });
});

test('the text format writes time, level, message and fields', () => {
  const line = written('text', (log) => log.warn({ id: 'a-1', of: { x: 'two words' } }, 'it waits'));
  assert.match(line, new RegExp(String.raw`^${time} WARN  it waits id=a-1 of=\{"x":"two words"\}\n$`));
});

test('the text format writes a stack below its line', () => {
  const lines = written('text', (log) => log.error({ err: new Error('broken') }, 'no')).split('\n');
  assert.match(lines[0]!, /ERROR no$/);
  assert.equal(lines[1], '    Error: broken');
  assert.match(lines[2]!, /^ {4}at /);
});

test('in the text format, logged text can neither forge a line nor control the terminal', () => {
  const line = written('text', (log) => log.info({ name: 'a\u001b[2J\nb' }, 'x\u0085\r\ny\u2028z'));
  assert.equal(line.split('\n').length, 2);
  assert.doesNotMatch(line.trimEnd(), /[\p{Cc}\p{Cf}\p{Zl}]/u);
});

test('lines below the level are dropped, and secrets are redacted', () => {
  const all = written('text', (log) => {
    log.debug('quiet');
    log.info({ key: { api_key: 'pk_1' } }, 'made');
  });
  assert.doesNotMatch(all, /quiet|pk_1/);
});
