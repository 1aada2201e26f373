import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError } from '../../../src/base/config/faults.ts';
import { faultsOf, load, messagesOf } from './sources.ts';

test('an ill-typed setting is named with its line and what it must be', () => {
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

test('an unknown setting is named with its line and what was probably meant', () => {
  assert.deepEqual(faultsOf({ yaml: 'http:\n  prot: 80\n' }), [
    {
      setting: 'http.prot',
      message: 'There is no setting http.prot (config.yaml line 2); did you mean http.port?',
      line: 2,
      origin: { kind: 'file', path: 'config.yaml', line: 2 },
    },
  ]);
});

test('hints find letters that are wrong, dashes, capitals, sections and a missing section, and do not guess wildly', () => {
  const hints = {
    wehbooks: 'webhooks',
    'webhooks.timeout-ms': 'webhooks.timeout_ms',
    'webhooks.timeoutMs': 'webhooks.timeout_ms',
    allow_networks: 'outbound.allow_networks',
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

test('an exit code goes with the error: 78', () => {
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

test('all faults of all sources are told at once, those of a file from top to bottom', () => {
  const settings = faultsOf({
    yaml: 'data: 5\nhttp:\n  port: x\n  prot: 1\n  port: 80\nlog: debug\ncatalog:\n  models:\n    - price: -1\n',
    env: { PARLEY_HTTP_PORT: 'y', PARLEY_NOPE: '1', PARLEY_DATA_FILE: '/missing' },
    set: ['http.port=z', 'nope=1'],
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
    'nope',
  ]);
});

test('a fault in a value that a stronger source replaces is a fault all the same', () => {
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

test('models, voices and numbers must not stand twice in their list', () => {
  const model = (name: string, voice: string) =>
    `{llm_model: ${name}, description: d, price: 1, voices: [{id: ${voice}, voice_name: V, language: en}]}`;
  const said = (field: string, value: string, list: string) =>
    `${list} must not have the same ${field} twice (given: "${value}", --set).`;
  assert.deepEqual(messagesOf({ set: [`catalog.models=[${model('m', 'v')}, ${model('m', 'v')}]`] }), [
    said('llm_model', 'm', 'catalog.models'),
    said('voices.id', 'v', 'catalog.models'),
  ]);
  load({ set: [`catalog.models=[${model('m', 'v')}, ${model('n', 'w')}]`] });
  assert.deepEqual(messagesOf({ set: ['numbers.inventory=[{phone: "+14155550100"}, {phone: "+14155550100"}]'] }), [
    said('phone', '+14155550100', 'numbers.inventory'),
  ]);
});

test('a variable that is no setting is a fault; those of the first start and of the file are none', () => {
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

test('a variable and its _FILE at once, and a file that cannot be read, are faults', () => {
  const env = { PARLEY_METRICS_TOKEN: 'a', PARLEY_METRICS_TOKEN_FILE: '/run/token' };
  assert.deepEqual(messagesOf({ env, files: { '/run/token': 'b' } }), [
    'metrics.token is given twice: by PARLEY_METRICS_TOKEN and by PARLEY_METRICS_TOKEN_FILE. Remove one.',
  ]);
  assert.deepEqual(messagesOf({ env: { PARLEY_METRICS_TOKEN_FILE: '/nowhere' } }), [
    "metrics.token cannot be read from the file that PARLEY_METRICS_TOKEN_FILE names: ENOENT: no such file, open '/nowhere'",
  ]);
});

test('a key given twice is a fault that names the setting, at any depth and in flags too', () => {
  assert.deepEqual(messagesOf({ yaml: 'http:\n  port: 1\n  "port": 2\nhttp:\n' }), [
    'http.port is given twice (config.yaml line 3).',
    'http is given twice (config.yaml line 4).',
  ]);
  assert.deepEqual(
    messagesOf({ yaml: 'numbers:\n  inventory:\n    - phone: "+14155550100"\n      phone: "+14155550100"\n' }),
    ['numbers.inventory[0].phone is given twice (config.yaml line 4).'],
  );
  assert.deepEqual(messagesOf({ set: ['http={port: 1, port: 2}'] }), ['http.port is given twice (--set).']);
});

test('text that is not YAML is a fault with its line, and other sources are judged all the same', () => {
  assert.deepEqual(messagesOf({ yaml: 'http:\n  port: [1\nlog:\n', set: ['nope=1'] }), [
    'The file is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ] (config.yaml line 3).',
    'There is no setting nope (--set).',
  ]);
  assert.deepEqual(messagesOf({ set: ['http.port=[1'] }), [
    'http.port is not valid YAML: Flow sequence must end with a ] (--set).',
  ]);
  assert.equal(faultsOf({ yaml: 'data: a\n---\ndata: b\n' })[0]?.line, 2);
});

test('a section must be a map, the file too, and dots in a file are no sections', () => {
  assert.deepEqual(messagesOf({ yaml: 'http: 80\nlog: [info]\nemail.host: x\n"": {}\n? [a]\n: 1\n' }), [
    'http must be a map of settings (given: a single value, config.yaml line 1).',
    'log must be a map of settings (given: a list, config.yaml line 2).',
    'There is no setting email.host (config.yaml line 3); sections are nested by indentation, not by dots.',
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

test('a list is given whole, and the fault for a part of one says so', () => {
  assert.deepEqual(messagesOf({ set: ['catalog.models[0].price=1', 'http.port.x=1'] }), [
    'There is no setting catalog.models[0].price (--set); catalog.models is one setting and is given whole.',
    'There is no setting http.port.x (--set); http.port is one setting and is given whole.',
  ]);
});

test('a list or map for a text setting is a fault that tells of quotes', () => {
  assert.deepEqual(messagesOf({ set: ['email.from=a: b', 'email.user=[*x]'] }), [
    'email.from must be text that is not empty, or null (given: a map, --set); in quotes it is text.',
    'email.user must be text that is not empty, or null (given: a list, --set); in quotes it is text.',
  ]);
  assert.deepEqual(messagesOf({ yaml: 'data: 5\n' }), [
    'data must be text that is not empty (given: 5, config.yaml line 1); in quotes it is text.',
  ]);
});

test('aliases without anchor and aliases that contain themselves end in faults, not in loops', () => {
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
  const told = [
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
  for (const sources of told) {
    const said = messagesOf(sources).join('\n');
    assert.notEqual(said, '');
    assert.doesNotMatch(said, /hunter2|7355608/, JSON.stringify(sources));
  }
});

test('long values are cut short in faults', () => {
  const [message = ''] = messagesOf({ set: [`log.level=${'x'.repeat(500)}`] });
  assert.ok(message.length < 250, message);
});
