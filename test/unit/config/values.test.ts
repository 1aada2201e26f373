import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { load, messagesOf } from './sources.ts';

test('values of --set and of variables are read as YAML', () => {
  assert.deepEqual(load({ set: ['outbound.allow_networks=["10.0.0.0/8"]'] }).config.outbound.allow_networks, [
    '10.0.0.0/8',
  ]);
  assert.deepEqual(load({ env: { PARLEY_HTTP_CORS_ORIGINS: '- https://a.example' } }).config.http.cors.origins, [
    'https://a.example',
  ]);
  assert.equal(load({ set: ['http.port=0x50'] }).config.http.port, 80);
  assert.equal(load({ set: ['http.rate_limit.per_second=0.5'] }).config.http.rate_limit.per_second, 0.5);
});

test('a text setting reads 123, yes and true as text, on its own or in its section', () => {
  for (const word of ['123', 'yes', 'true', '0x10', '1e3', '.inf', '2026-11-21']) {
    assert.equal(load({ set: [`email.password=${word}`] }).config.email.password, word);
    assert.equal(load({ env: { PARLEY_EMAIL_PASSWORD: word } }).config.email.password, word);
    assert.equal(load({ set: [`email={password: ${word}}`] }).config.email.password, word);
    assert.equal(load({ set: [`data=${word}`] }).config.data, word);
  }
});

test('a text setting keeps characters that YAML would drop or refuse', () => {
  for (const word of ['a #b', '#a', '@a', '%a', '*a', '&', '!a', '`a', '"a', "a'b", '[a', 'a:b', '::1', '|', '>']) {
    assert.equal(load({ env: { PARLEY_EMAIL_PASSWORD: word } }).config.email.password, word);
  }
});

test('quotes around a text are removed', () => {
  assert.equal(load({ set: ['email.from="Parley: <a@example.com>"'] }).config.email.from, 'Parley: <a@example.com>');
  assert.equal(load({ set: ["email.password='null'"] }).config.email.password, 'null');
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (word) => {
      assert.equal(load({ env: { PARLEY_EMAIL_PASSWORD: JSON.stringify(word) } }).config.email.password, word);
    }),
  );
});

test('any plain word is kept unchanged by a text setting', () => {
  const word = fc.stringMatching(/^[^\s"'[{:](?:[^\s:]*[^\s:])?$/).filter((text) => !/^(?:~|null|[-?])$/i.test(text));
  fc.assert(
    fc.property(word, (text) => {
      assert.equal(load({ env: { PARLEY_EMAIL_PASSWORD: text } }).config.email.password, text);
    }),
  );
});

test('null, ~ and empty text unset a nullable text setting; elsewhere they are text or a fault', () => {
  for (const empty of ['null', '~', '']) {
    const loaded = load({ yaml: 'email: {host: mail.example.com}', set: [`email.host=${empty}`] });
    assert.equal(loaded.config.email.host, null);
  }
  assert.equal(load({ set: ['data=null'] }).config.data, 'null');
  assert.deepEqual(messagesOf({ set: ['data='] }), ['data must be text that is not empty (given: "", --set).']);
});

test('one trailing newline in the file of a …_FILE variable is not part of the value', () => {
  const read = (content: string) =>
    load({ env: { PARLEY_METRICS_TOKEN_FILE: '/run/token' }, files: { '/run/token': content } }).config.metrics.token;
  assert.deepEqual(['s3cret', 's3cret\n', 's3cret\r\n'].map(read), ['s3cret', 's3cret', 's3cret']);
});

test('YAML is version 1.2 with the core schema: yes and 1_000 are text, 0x10 is a number', () => {
  assert.equal(load({ yaml: 'email: {password: yes}' }).config.email.password, 'yes');
  assert.equal(load({ yaml: 'email: {password: 1_000}' }).config.email.password, '1_000');
  assert.equal(load({ yaml: 'http: {port: 0x10}' }).config.http.port, 16);
  assert.equal(load({ yaml: '%YAML 1.1\n---\nemail: {password: no}' }).config.email.password, 'no');
});

test('an empty file, a file of comments and null for a section change nothing', () => {
  const defaults = load().config;
  for (const yaml of ['', '# nothing yet\n', '~', 'http:\n', 'http:\n  cors:\n  rate_limit: null\n', '\uFEFF---\n']) {
    assert.deepEqual(load({ yaml }).config, defaults, JSON.stringify(yaml));
  }
  assert.deepEqual(load({ set: ['http='], env: { PARLEY_EMAIL: '' } }).config, defaults);
});

test('anchors and aliases work in a file', () => {
  const { config } = load({
    yaml: 'http: {cors: {origins: &o ["https://a.example"]}, body_limits: &b {json: 5}}\nlog: {level: &l debug}\n',
  });
  assert.deepEqual([config.http.cors.origins, config.http.body_limits.json], [['https://a.example'], 5]);
  const { config: shared } = load({ yaml: 'email: {user: &me parley, from: *me}\n' });
  assert.deepEqual([shared.email.user, shared.email.from], ['parley', 'parley']);
});

test('list entries may omit fields that have a default', () => {
  const { config } = load({
    yaml: `
catalog:
  models:
    - llm_model: mine
      description: ''
      price: 0
      voices: [{id: v1, voice_name: Vera, language: en-GB}]
numbers:
  inventory:
    - phone: "+14155550100"
    - {phone: "+14155550101", name: Front desk, termination_uri: sip.example.com, monthly_price: 1.5}
`,
  });
  assert.deepEqual(config.catalog.models, [
    {
      llm_model: 'mine',
      description: '',
      price: 0,
      is_active: true,
      voices: [{ id: 'v1', voice_name: 'Vera', language: 'en-GB', gender: null, recording_url: null, img_url: null }],
    },
  ]);
  assert.deepEqual(config.numbers.inventory[0], { phone: '+14155550100' });
  assert.equal(config.numbers.inventory[1]?.monthly_price, 1.5);
});

test('minimum and maximum are inclusive, exclusiveMinimum is not', () => {
  const good = ['http.port=0', 'http.port=65535', 'http.rate_limit.per_second=0', 'carrier.simulated.speed=0.01'];
  for (const pair of good) load({ set: [pair] });
  const bad = ['http.port=-1', 'http.port=65536', 'http.port=1.5', 'email.port=0', 'http.rate_limit.per_second=-1'];
  const worse = ['carrier.simulated.speed=0', 'carrier.simulated.speed=.inf', 'http.rate_limit.per_second=.nan'];
  for (const pair of [...bad, ...worse]) assert.equal(messagesOf({ set: [pair] }).length, 1, pair);
});
