import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, messagesOf } from './sources.ts';

/** Checks which values a setting accepts and refuses, each as the text of a flag. */
function checkValues(path: string, { good, bad }: { good: readonly string[]; bad: readonly string[] }): void {
  for (const value of good) load({ set: [`${path}=${value}`] });
  for (const value of bad) assert.equal(messagesOf({ set: [`${path}=${value}`] }).length, 1, `${path}=${value}`);
}

test('networks are CIDR, in four decimal parts or IPv6, without zones', () => {
  checkValues('outbound.allow_networks', {
    good: ['["10.0.0.0/8", "192.168.1.1/32", "0.0.0.0/0"]', '["fd00::/8", "::1/128"]'],
    bad: [
      '["10.0.0.0"]',
      '["10/8"]',
      '["0x7f.0.0.1/8"]',
      '["10.0.0.0/33"]',
      '["fe80::%1/64"]',
      '[""]',
      '[8]',
      '10.0.0.0/8',
    ],
  });
});

test('a schedule has five fields and a next time', () => {
  checkValues('backup.schedule', {
    good: ['0 3 * * *', '*/15 8-18 * * 1-5', '0 0 1 * *', 'null'],
    bad: ['3', '0 0 3 * * *', '0 0 31 2 *', '61 * * * *', 'nightly', '""'],
  });
});

test('URLs are http or https and have no credentials', () => {
  checkValues('http.public_url', {
    good: ['https://parley.example.com', 'http://10.0.0.5:8080/base', 'null'],
    bad: ['parley.example.com', 'ftp://example.com', 'https://user:pass@example.com', '/base', 'https://'],
  });
});

test('a key that is sent in a header is ASCII without spaces', () => {
  for (const path of ['speech.realtime.api_key', 'speech.stt.api_key', 'embeddings.api_key', 'analysis.api_key'])
    checkValues(path, {
      good: ['sk-proj_aZ09.+/=:~', 'null'],
      bad: ['"sk-ключ"', '"sk-é"', '"sk-…"', '"two words"', '"line\\nbreak"', '""'],
    });
});

test('the URL of a key set is https, or http on this machine', () => {
  checkValues('auth.jwks_url', {
    good: ['https://id.example.com/jwks', 'http://localhost:9000/jwks', 'http://127.0.0.1/jwks', 'http://[::1]:1/jwks'],
    bad: ['http://id.example.com/jwks', 'http://localhost.example.com/jwks', 'http://127.0.0.1.example.com/'],
  });
});

test('an origin is a scheme, host and port, as browsers send it', () => {
  checkValues('http.cors.origins', {
    good: ['["https://app.example.com", "http://localhost:3000"]', '[]'],
    bad: ['["*"]', '["https://app.example.com/"]', '["app.example.com"]', '["https://app.example.com:443"]', '[null]'],
  });
});

test('entries of the catalog and the inventory are validated field by field', () => {
  const model = (fields: string) => `catalog.models=[{llm_model: m, description: d, price: 1, voices: [], ${fields}}]`;
  const voice = (fields: string) => model(`voices: [{id: v, voice_name: V, ${fields}}]`).replace('voices: [], ', '');
  for (const pair of [
    model('id: 01990000-0000-7000-8000-000000000009'),
    model('is_active: false'),
    voice('language: de-CH'),
    voice('language: zh-Hant-TW, recording_url: "https://a.example/v.mp3", gender: null'),
    'numbers.inventory=[{phone: "+4930123456"}]',
  ]) {
    load({ set: [pair] });
  }
  for (const pair of [
    model('id: 17'),
    model('id: "urn:uuid:01990000-0000-7000-8000-000000000009"'),
    model('is_active: 1'),
    voice('language: english!'),
    voice('language: en, recording_url: "http://a.example/v.mp3"'),
    'catalog.models=[{llm_model: m, description: d, price: -1, voices: []}]',
    'catalog.models=[m]',
    'numbers.inventory=[{phone: "030123456"}]',
    'numbers.inventory=[{phone: 4930123456}]',
  ]) {
    assert.equal(messagesOf({ set: [pair] }).length, 1, pair);
  }
});
