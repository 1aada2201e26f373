import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { SETTINGS } from '../../../src/main/configuration.ts';
import { load } from './sources.ts';

const yaml = readFileSync(path.join(import.meta.dirname, '../../../config.example.yaml'), 'utf8');

test('config.example.yaml gives exactly the defaults', () => {
  assert.deepEqual(load({ yaml }).config, load().config);
});

test('config.example.yaml shows every setting, each under its one-sentence description', () => {
  const { origins } = load({ yaml });
  const lines = yaml.split('\n');
  for (const { path: setting, description } of SETTINGS.values()) {
    const origin = origins.get(setting);
    assert.ok(origin?.kind === 'file', `${setting} is missing from config.example.yaml`);
    assert.equal(lines[origin.line - 2]?.trim(), `# ${description}`, setting);
  }
});

test('every description is one sentence', () => {
  for (const { path: setting, description } of SETTINGS.values()) {
    assert.match(description, /^[A-Z][^\n]{10,}\.$/, setting);
    assert.doesNotMatch(description, /\.\s+[A-Z]/, setting);
  }
});
