import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError } from '../../../src/base/config/faults.ts';
import { faultsOf, load, messagesOf } from './sources.ts';

test('the fault for a wrong value names the setting, its line and the expected type', () => {
  const [fault, ...rest] = faultsOf({ yaml: '# parley\nwebhooks:\n\n  timeout_ms: abc\n' });
  assert.deepEqual(rest, []);
  assert.deepEqual(fault, {
    setting: 'webhooks.timeout_ms',
    message:
      'webhooks.timeout_ms must be a whole number, at least 1, at most 2147483647 (given: "abc", config.yaml line 4).',
    line: 4,
    origin: { kind: 'file', path: 'config.yaml', line: 4 },
  });
});

test('the fault for an unknown setting names its line and suggests the closest setting', () => {
  assert.deepEqual(faultsOf({ yaml: 'http:\n  prot: 80\n' }), [
    {
      setting: 'http.prot',
      message: 'There is no setting http.prot (config.yaml line 2); did you mean http.port?',
      line: 2,
      origin: { kind: 'file', path: 'config.yaml', line: 2 },
    },
  ]);
});

test('suggestions cover typing errors, dashes, capitals and a missing section, but nothing far-fetched', () => {
  const hints = {
    wehbooks: 'webhooks',
    'webhooks.timeout-ms': 'webhooks.timeout_ms',
    'webhooks.timeoutMs': 'webhooks.timeout_ms',
    trusted_proxies: 'http.trusted_proxies',
    'HTTP.PORT': 'http.port',
  };
  for (const [wrong, meant] of Object.entries(hints)) {
    const message = `There is no setting ${wrong} (--set); did you mean ${meant}?`;
    assert.deepEqual(messagesOf({ set: [`${wrong}=1`] }), [message]);
  }
  for (const far of ['port', 'x', 'telephony.region', '.']) {
    assert.deepEqual(messagesOf({ set: [`${far}=1`] }), [`There is no setting ${far} (--set).`]);
  }
});

test('a store that is not PostgreSQL is refused', () => {
  for (const url of ['sqlite:parley.db', 'mysql://db/parley', 'postgres://db/parley?sslmode=prefer'])
    assert.match(messagesOf({ set: [`store.url=${url}`] })[0]!, /^store\.url must be a PostgreSQL URL /);
});

test('a configuration error has exit code 78', () => {
  assert.throws(
    () => load({ set: ['x=1', 'http.port=x'] }),
    (error) => {
      assert.ok(error instanceof ConfigError);
      assert.equal(error.exitCode, 78);
      assert.match(error.message, /There is no setting x \(--set\)\.\n.*http\.port must be a whole number/);
      return true;
    },
  );
});

test('all faults of all sources are reported at once, those of a file from top to bottom', () => {
  const settings = faultsOf({
    yaml: 'data: 5\nhttp:\n  port: x\n  prot: 1\n  port: 80\nlog: debug\ncatalog:\n  models:\n    - price: -1\n',
    env: { PARLEY_HTTP_PORT: 'y', PARLEY_NOPE: '1', PARLEY_DATA_FILE: '/missing' },
    set: ['http.port=z', 'quux=1'],
  }).map(({ setting, line }) => (line === undefined ? setting : `${setting}:${line}`));
  assert.deepEqual(settings, [
    'data:1',
    'http.port:3',
    'http.prot:4',
    'http.port:5',
    'log:6',
    'catalog.models[0].llm_model:9',
    'catalog.models[0].description:9',
    'catalog.models[0].voices:9',
    'catalog.models[0].price:9',
    'data',
    'PARLEY_NOPE',
    'http.port',
    'http.port',
    'quux',
  ]);
});

test('a wrong value is a fault even when another source overrides it', () => {
  assert.deepEqual(
    faultsOf({ yaml: 'http: {port: x}', set: ['http.port=1'] }).map((fault) => fault.setting),
    ['http.port'],
  );
});

test('faults inside lists name the entry and its own line', () => {
  const yaml = `catalog:
  models:
    - llm_model: a
      description: x
      prise: 1
      price: cheap
      voices:
        - id: v
          voice_name: V
          language: '?'
`;
  assert.deepEqual(messagesOf({ yaml }), [
    'There is no field prise in catalog.models[0] (config.yaml line 5); did you mean price?',
    'catalog.models[0].price must be a number, at least 0 (given: "cheap", config.yaml line 6).',
    'catalog.models[0].voices[0].language must be a language tag such as en-US (given: "?", config.yaml line 10).',
  ]);
});

test('models, voices and phone numbers must be unique in their list', () => {
  const model = (name: string, voice: string) =>
    `{llm_model: ${name}, description: d, price: 1, voices: [{id: ${voice}, voice_name: V, language: en}]}`;
  const duplicateMessage = (field: string, value: string, list: string) =>
    `${list} must not have the same ${field} twice (given: "${value}", --set).`;
  assert.deepEqual(messagesOf({ set: [`catalog.models=[${model('m', 'v')}, ${model('m', 'v')}]`] }), [
    duplicateMessage('llm_model', 'm', 'catalog.models'),
    duplicateMessage('voices.id', 'v', 'catalog.models'),
  ]);
  load({ set: [`catalog.models=[${model('m', 'v')}, ${model('n', 'w')}]`] });
  assert.deepEqual(messagesOf({ set: ['numbers.inventory=[{phone: "+14155550100"}, {phone: "+14155550100"}]'] }), [
    duplicateMessage('phone', '+14155550100', 'numbers.inventory'),
  ]);
});

test('an unknown PARLEY_ variable is a fault, except for the variables of the first start and of the file', () => {
  assert.deepEqual(messagesOf({ env: { PARLEY_HTTP_PROT: '1', PARLEY_: '', PARLEY_ZZZ_FILE: '' } }), [
    'There is no setting for the variable PARLEY_.',
    'There is no setting for the variable PARLEY_HTTP_PROT; did you mean PARLEY_HTTP_PORT?',
    'There is no setting for the variable PARLEY_ZZZ_FILE.',
  ]);
  load({
    env: {
      PARLEY_BOOTSTRAP_API_KEY: 'a',
      PARLEY_BOOTSTRAP_ORG_ID: 'b',
      PARLEY_CONFIG: 'c',
      PATH: '/bin',
      parley_x: '1',
    },
  });
  load({ env: { PARLEY_UNSET: undefined, PARLEY_HTTP_PORT: undefined } });
});

test('setting a variable and its _FILE form, or naming an unreadable file, is a fault', () => {
  const env = { PARLEY_METRICS_TOKEN: 'a', PARLEY_METRICS_TOKEN_FILE: '/run/token' };
  assert.deepEqual(messagesOf({ env, files: { '/run/token': 'b' } }), [
    'metrics.token is set twice, by PARLEY_METRICS_TOKEN and by PARLEY_METRICS_TOKEN_FILE; remove one of them.',
  ]);
  assert.deepEqual(messagesOf({ env: { PARLEY_METRICS_TOKEN_FILE: '/nowhere' } }), [
    "metrics.token cannot be read from /nowhere, which PARLEY_METRICS_TOKEN_FILE names: ENOENT: no such file, open '/nowhere'",
  ]);
});

test('a duplicate key is a fault that names the setting, at any depth and in flags too', () => {
  assert.deepEqual(messagesOf({ yaml: 'http:\n  port: 1\n  "port": 2\nhttp:\n' }), [
    'http.port is set twice (config.yaml line 3).',
    'http is set twice (config.yaml line 4).',
  ]);
  assert.deepEqual(
    messagesOf({ yaml: 'numbers:\n  inventory:\n    - phone: "+14155550100"\n      phone: "+14155550100"\n' }),
    ['numbers.inventory[0].phone is set twice (config.yaml line 4).'],
  );
  assert.deepEqual(messagesOf({ set: ['http={port: 1, port: 2}'] }), ['http.port is set twice (--set).']);
});

test('invalid YAML is a fault with its line, and other sources are still validated', () => {
  assert.deepEqual(messagesOf({ yaml: 'http:\n  port: [1\nlog:\n', set: ['quux=1'] }), [
    'The file is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ] (config.yaml line 3).',
    'There is no setting quux (--set).',
  ]);
  assert.deepEqual(messagesOf({ set: ['http.port=[1'] }), [
    'http.port is not valid YAML: Flow sequence must end with a ] (--set).',
  ]);
  assert.equal(faultsOf({ yaml: 'data: a\n---\ndata: b\n' })[0]?.line, 2);
});

test('a section must be a map, so must the file, and dots in a key do not make sections', () => {
  assert.deepEqual(messagesOf({ yaml: 'http: 80\nlog: [info]\nemail.host: x\n"": {}\n? [a]\n: 1\n' }), [
    'http must be a map of settings (given: a single value, config.yaml line 1).',
    'log must be a map of settings (given: a list, config.yaml line 2).',
    'There is no setting email.host (config.yaml line 3); nest sections by indentation, not by dots.',
    'There is no setting "" (config.yaml line 4).',
    'There is no setting "" (config.yaml line 5).',
  ]);
  assert.deepEqual(messagesOf({ yaml: '- http\n' }), [
    'The configuration must be a map of settings (given: a list, config.yaml line 1).',
  ]);
  assert.deepEqual(messagesOf({ set: ['http=80'] }), [
    'http must be a map of settings (given: a single value, --set).',
  ]);
  assert.deepEqual(messagesOf({ yaml: '__proto__: {port: 1}\nconstructor: 1\n' }).length, 2);
});

test('a list can only be set as a whole, and the fault for a part of one says so', () => {
  assert.deepEqual(messagesOf({ set: ['catalog.models[0].price=1', 'http.port.x=1'] }), [
    'There is no setting catalog.models[0].price (--set); catalog.models is one setting, so set all of it at once.',
    'There is no setting http.port.x (--set); http.port is one setting, so set all of it at once.',
  ]);
});

test('the fault for a list or map in a text setting suggests quotes', () => {
  assert.deepEqual(messagesOf({ set: ['email.from=a: b', 'email.user=[*x]'] }), [
    'email.from must be text that is not empty, or null (given: a map, --set); put it in quotes to make it text.',
    'email.user must be text that is not empty, or null (given: a list, --set); put it in quotes to make it text.',
  ]);
  assert.deepEqual(messagesOf({ yaml: 'data: 5\n' }), [
    'data must be text that is not empty (given: 5, config.yaml line 1); put it in quotes to make it text.',
  ]);
});

test('an alias without an anchor, or one that contains itself, is a fault and does not loop', () => {
  assert.deepEqual(messagesOf({ yaml: 'auth:\n  issuer: *x\noutbound: *y\n' }), [
    'auth.issuer must not refer to an anchor that is missing or expands too far (config.yaml line 2).',
    'outbound must be a map of settings (given: a missing anchor, config.yaml line 3).',
  ]);
  assert.notEqual(messagesOf({ yaml: 'http: &h\n  cors: *h\n' }).length, 0);
  assert.notEqual(messagesOf({ yaml: 'catalog: {models: &m [*m]}\noutbound: {allow_networks: &n [*n]}\n' }).length, 0);
  assert.notEqual(messagesOf({ yaml: 'catalog: {models: [&m {voices: [*m]}]}\n' }).length, 0);
});

test('no fault shows a secret', () => {
  const secret = 'hunter2';
  const sources = [
    { yaml: `carrier: {http: {secret: [${secret}]}}` },
    { yaml: `carrier:\n  http: ${secret}\n` },
    { yaml: `email:\n  password: *${secret}\n` },
    { yaml: `email:\n  password: !${secret}\n` },
    { yaml: `email:\n  password: "${secret}\n` },
    { yaml: `email:\n  password: "a" ${secret}\n` },
    { yaml: `email:\n  password: 'a'${secret}'\n` },
    { yaml: `email:\n  password: @${secret}\n` },
    { set: [`metrics.token={${secret}: 1}`] },
    { set: [`metrics={token: *${secret}}`] },
    { set: [`metrics={token: [${secret}]}`] },
    { set: [`http.public_url=https://me:${secret}@example.com`] },
    { yaml: 'metrics: {token: 7355608}' },
  ];
  for (const source of sources) {
    const messages = messagesOf(source).join('\n');
    assert.notEqual(messages, '');
    assert.doesNotMatch(messages, /hunter2|7355608/, JSON.stringify(source));
  }
});

test('long values are cut short in faults', () => {
  const [message = ''] = messagesOf({ set: [`log.level=${'x'.repeat(500)}`] });
  assert.ok(message.length < 250, message);
});
