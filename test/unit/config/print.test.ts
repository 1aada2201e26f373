import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { renderConfig } from '../../../src/base/config/print.ts';
import { withoutPassword } from '../../../src/base/redact.ts';
import { SETTINGS } from '../../../src/main/configuration.ts';
import { load, valueAt } from './sources.ts';

const lineOf = (text: string, path: string): string | undefined =>
  text.split('\n').find((line) => line.startsWith(`${path} = `));

test('config print shows each value with its origin', () => {
  const printed = renderConfig(
    load({
      yaml: 'http:\n  host: "::"\n',
      env: { PARLEY_LOG_LEVEL: 'debug', PARLEY_EMAIL_USER_FILE: '/run/user' },
      files: { '/run/user': 'parley\n' },
      set: ['webhooks.allow_http_loopback=true', 'outbound.allow_networks=["10.0.0.0/8"]'],
      flags: [{ path: 'http.port', value: '0', flag: '--port' }],
    }),
  );
  const expected = {
    'http.host': '"::"   # config.yaml:2',
    'http.port': '0   # flag --port',
    'http.cors.origins': '[]   # default',
    'log.level': 'debug   # env PARLEY_LOG_LEVEL',
    'email.user': 'parley   # env PARLEY_EMAIL_USER_FILE',
    'email.host': 'null   # default',
    'webhooks.allow_http_loopback': 'true   # flag --set',
    'outbound.allow_networks': '[ 10.0.0.0/8 ]   # flag --set',
  };
  for (const [path, rest] of Object.entries(expected)) assert.equal(lineOf(printed, path), `${path} = ${rest}`);
});

test('config print has one line per setting, in the order of the schema', () => {
  const printed = renderConfig(load());
  assert.deepEqual(
    printed
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' = ')[0]),
    [...SETTINGS.keys()],
  );
});

test('secrets are masked when set and print null otherwise', () => {
  const secrets = [...SETTINGS.values()].filter((setting) => setting.secret).map((setting) => setting.path);
  assert.deepEqual(secrets, [
    'store.password',
    'carrier.http.secret',
    'embeddings.api_key',
    'analysis.api_key',
    'email.password',
    'metrics.token',
    'speech.realtime.api_key',
    'speech.stt.api_key',
    'speech.llm.api_key',
    'speech.tts.api_key',
  ]);
  const printed = renderConfig(load({ set: secrets.map((path) => `${path}=hunter2`) }));
  assert.doesNotMatch(printed, /hunter2/);
  for (const path of secrets) {
    assert.equal(lineOf(printed, path), `${path} = ********   # flag --set`);
    assert.equal(lineOf(renderConfig(load()), path), `${path} = null   # default`);
  }
});

test('the password of a URL is masked', () => {
  const printed = renderConfig(load({ set: ['store.url=postgres://parley:hunter2@db/parley'] }));
  assert.equal(lineOf(printed, 'store.url'), 'store.url = postgres://parley:********@db/parley   # flag --set');
});

test('a password is masked wherever it ends, and nothing else of a URL', () => {
  const shown = {
    'postgres://parley:hunter2@db/parley': 'postgres://parley:********@db/parley',
    'postgres://parley:hun@ter2@db/parley?sslmode=verify-full':
      'postgres://parley:********@db/parley?sslmode=verify-full',
    'https://db:8080/people/@ada': 'https://db:8080/people/@ada',
    'postgres://parley@db/parley': 'postgres://parley@db/parley',
    'postgres://parley:hun/ter2@db/parley': 'postgres://********@db/parley',
    'ada@example.com': 'ada@example.com',
  };
  for (const [url, expected] of Object.entries(shown)) assert.equal(withoutPassword(url), expected);
});

test('a printed value passed to --set yields the same value, whatever the text', () => {
  const text = fc.oneof(
    fc.string({ minLength: 1, unit: 'grapheme' }),
    fc.constantFrom('null', '1', 'a\nb', 'a\n'.repeat(99), '\u00a0a\u00a0', '\u2028', '\u001b[31m', ' # x', '~'),
  );
  fc.assert(
    fc.property(text, (value) => {
      const printed = renderConfig(load({ set: [`email.user=${JSON.stringify(value)}`] }));
      assert.equal(printed.trimEnd().split('\n').length, SETTINGS.size);
      const shown = lineOf(printed, 'email.user')?.slice('email.user = '.length, -'   # flag --set'.length);
      assert.equal(load({ set: [`email.user=${shown}`] }).config.email.user, value);
    }),
  );
  const several = renderConfig(
    load({ set: ['catalog.models=[{llm_model: "a\\nb", description: "", price: 1, voices: []}]'] }),
  );
  assert.ok(
    several.includes(
      'catalog.models = [ { llm_model: "a\\nb", description: "", price: 1, voices: [], is_active: true } ]',
    ),
  );
  const catalog = lineOf(renderConfig(load()), 'catalog.models') ?? '';
  const shown = catalog.slice('catalog.models = '.length, -'   # default'.length);
  const again = load({ set: [`catalog.models=${shown}`] });
  assert.deepEqual(valueAt(again, 'catalog.models'), valueAt(load(), 'catalog.models'));
});
