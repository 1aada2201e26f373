import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { variableOf } from '../../../src/base/config/settings.ts';
import { SETTINGS } from '../../../src/main/configuration.ts';
import type { Setting, Shape } from '../../../src/base/config/settings.ts';
import { load, valueAt } from './sources.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const CONTRACT_PATH = 'webhooks.allow_http_loopback';
const CONTRACT_VARIABLE = 'PARLEY_WEBHOOKS_ALLOW_HTTP_LOOPBACK';

test('without any source, every setting has its default value and origin', () => {
  const loaded = load();
  for (const [path, { shape }] of SETTINGS) {
    assert.deepEqual(valueAt(loaded, path), shape.default, path);
    assert.deepEqual(loaded.origins.get(path), { kind: 'default' }, path);
  }
});

test('a setting comes from a flag, a variable, a file that a variable names, or YAML', () => {
  const forms = [
    [{ set: [`${CONTRACT_PATH}=true`] }, { kind: 'flag', name: '--set' }],
    [{ env: { [CONTRACT_VARIABLE]: 'true' } }, { kind: 'env', name: CONTRACT_VARIABLE }],
    [
      { env: { [`${CONTRACT_VARIABLE}_FILE`]: '/run/flag' }, files: { '/run/flag': 'true\n' } },
      { kind: 'env', name: `${CONTRACT_VARIABLE}_FILE` },
    ],
    [{ yaml: 'webhooks:\n  allow_http_loopback: true\n' }, { kind: 'file', path: 'config.yaml', line: 2 }],
  ] as const;
  for (const [sources, origin] of forms) {
    const loaded = load(sources);
    assert.equal(loaded.config.webhooks.allow_http_loopback, true);
    assert.deepEqual(loaded.origins.get(CONTRACT_PATH), origin);
  }
});

test('the origin of a value from a flag of its own is that flag', () => {
  const { config, origins } = load({ flags: [{ path: 'http.port', value: '0', flag: '--port' }] });
  assert.equal(config.http.port, 0);
  assert.deepEqual(origins.get('http.port'), { kind: 'flag', name: '--port' });
});

test('the last of two flags wins', () => {
  assert.equal(load({ set: ['http.port=1', 'http.port=2'] }).config.http.port, 2);
});

test('every setting and section has a variable of its own', () => {
  const names = [...SETTINGS.keys()].flatMap((path) => [variableOf(path), `${variableOf(path)}_FILE`]);
  assert.equal(new Set(names).size, names.length);
});

const arbitraryText = (shape: Shape): fc.Arbitrary<string> => {
  switch (shape.format) {
    case undefined:
      return fc.string({ minLength: 1, maxLength: 12 });
    case 'ws_url':
      return fc.webUrl({ validSchemes: ['wss'] });
    case 'cidr':
      return fc.ipV4().map((address) => `${address}/24`);
    case 'e164':
      return fc.integer({ min: 1_000_000, max: 9_999_999 }).map((digits) => `+1${digits}`);
    case 'cron':
      return fc.integer({ min: 0, max: 59 }).map((minute) => `${minute} 3 * * *`);
    case 'store_url':
      return fc.domain().map((domain) => `postgres://parley@${domain.toLowerCase()}/parley`);
    case 'listen_url':
      return fc.constantFrom('none', 'postgres://parley@db/parley');
    case 'country':
      return fc.constantFrom('DE', 'US', 'JP');
    case 'time_of_day':
      return fc.constantFrom('00:00', '08:30', '23:59');
    default:
      return fc.domain().map((domain) => `https://${domain.toLowerCase()}`);
  }
};

function arbitraryValue(shape: Shape): fc.Arbitrary<unknown> {
  if (shape.anyOf !== undefined) return fc.oneof(...shape.anyOf.map(arbitraryValue));
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum);
  const min = shape.minimum ?? 1;
  switch (shape.type) {
    case 'integer':
      return fc.integer({ min, max: shape.maximum ?? 1_000_000 });
    case 'number':
      return fc.double({ min: Math.max(min, 0.001), max: 1e6, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'object':
      return fc.record(
        Object.fromEntries(Object.entries(shape.properties ?? {}).map(([name, one]) => [name, arbitraryValue(one)])),
        { requiredKeys: [...(shape.required ?? [])], noNullPrototype: true },
      );
    case 'array':
      return shape.items === undefined || shape.items.type === 'object'
        ? fc.constant([])
        : fc.uniqueArray(arbitraryValue(shape.items), { minLength: 1, maxLength: 3 });
    default:
      return arbitraryText(shape);
  }
}

/** One setting, and for each source whether it gives a value and which. */
const arbitraryLayers = fc.constantFrom(...SETTINGS.values()).chain((setting) => {
  const layer = fc.option(fc.record({ value: arbitraryValue(setting.shape) }), { nil: undefined });
  return fc.record({
    setting: fc.constant(setting),
    yaml: layer,
    variable: layer,
    viaFile: fc.boolean(),
    whole: fc.boolean(),
    flag: layer,
  });
});

// JSON is YAML, so it serves as the text of any value in any source.
const nested = (path: string, value: unknown): string =>
  JSON.stringify(path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value));

/** The argument of a flag or variable that sets a setting: the setting's own or, with `whole`, that of the section around it. */
function argument({ path }: Setting, value: unknown, whole: boolean): { path: string; text: string } {
  const at = path.lastIndexOf('.');
  // PARLEY_HTTP_BODY_LIMITS_FILE is the setting http.body_limits.file, so no file can hold that section whole.
  const ambiguous = SETTINGS.has(`${path.slice(0, at)}.file`);
  if (!whole || at < 0 || ambiguous) return { path, text: JSON.stringify(value) };
  return { path: path.slice(0, at), text: JSON.stringify({ [path.slice(at + 1)]: value }) };
}

test('flag > variable > YAML > default, for every setting, value and choice of sources', () => {
  fc.assert(
    fc.property(arbitraryLayers, ({ setting, yaml, variable, viaFile, whole, flag }) => {
      const env: Record<string, string> = {};
      const files: Record<string, string> = {};
      let variableName = '';
      if (variable !== undefined) {
        const { path, text } = argument(setting, variable.value, whole);
        variableName = variableOf(path) + (viaFile ? '_FILE' : '');
        env[variableName] = viaFile ? '/run/value' : text;
        files['/run/value'] = `${text}\n`;
      }
      const given = flag === undefined ? undefined : argument(setting, flag.value, whole);
      const loaded = load({
        env,
        files,
        flags: given === undefined ? [] : [{ path: given.path, value: given.text }],
        ...(yaml === undefined ? {} : { yaml: nested(setting.path, yaml.value) }),
      });
      const expected = flag ?? variable ?? yaml ?? { value: setting.shape.default };
      const origin =
        flag !== undefined
          ? { kind: 'flag', name: '--set' }
          : variable !== undefined
            ? { kind: 'env', name: variableName }
            : yaml !== undefined
              ? { kind: 'file', path: 'config.yaml', line: 1 }
              : { kind: 'default' };
      assert.deepEqual(valueAt(loaded, setting.path), expected.value);
      assert.deepEqual(loaded.origins.get(setting.path), origin);
      for (const [path, { shape }] of SETTINGS) {
        if (path !== setting.path) assert.deepEqual(valueAt(loaded, path), shape.default, path);
      }
    }),
    { numRuns: propertyRuns({ few: 100, all: 500 }) },
  );
});

test('setting a section changes only the settings it contains', () => {
  const { config } = load({
    yaml: 'email: {host: mail.example.com, port: 465}',
    set: ['email={port: 25, secure: true}', 'outbound={allow_networks: []}'],
  });
  assert.deepEqual(
    [config.email.host, config.email.port, config.email.secure, config.outbound.allow_networks],
    ['mail.example.com', 25, true, []],
  );
});

test('of two variables the more specific one wins, in any order', () => {
  const section = ['PARLEY_EMAIL', '{host: a.example.com, port: 1}'] as const;
  const specific = ['PARLEY_EMAIL_HOST', 'b.example.com'] as const;
  for (const order of [
    [section, specific],
    [specific, section],
  ]) {
    const { config } = load({ env: Object.fromEntries(order) });
    assert.deepEqual([config.email.host, config.email.port], ['b.example.com', 1]);
  }
});

test('a setting whose name ends in _file has its own variable, and …_FILE_FILE reads it from a file', () => {
  assert.equal(load({ env: { PARLEY_OUTBOUND_CA_FILE: '/etc/ca.pem' } }).config.outbound.ca_file, '/etc/ca.pem');
  const viaFile = load({ env: { PARLEY_OUTBOUND_CA_FILE_FILE: '/run/x' }, files: { '/run/x': '/etc/ca.pem\r\n' } });
  assert.equal(viaFile.config.outbound.ca_file, '/etc/ca.pem');
});

test('a variable that matches a setting sets it, even where it could be the _FILE form of a section', () => {
  const { config } = load({ env: { PARLEY_HTTP_BODY_LIMITS: '{json: 5}', PARLEY_HTTP_BODY_LIMITS_FILE: '7' } });
  assert.deepEqual([config.http.body_limits.json, config.http.body_limits.file], [5, 7]);
});

test('the loaded configuration is deeply frozen', () => {
  const { config } = load({ set: ['outbound.allow_networks=["10.0.0.0/8"]'] });
  const unfrozen = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && (!Object.isFrozen(value) || Object.values(value).some(unfrozen));
  assert.equal(unfrozen(config), false);
});

test('loading never changes the defaults', () => {
  const before = JSON.stringify([...SETTINGS.values()]);
  load();
  assert.notEqual(load().config.catalog.models, load().config.catalog.models);
  assert.equal(JSON.stringify([...SETTINGS.values()]), before);
  assert.equal(Object.isFrozen(SETTINGS.get('catalog.models')?.shape.default), false);
});
