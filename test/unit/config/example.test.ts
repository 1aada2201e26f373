import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Shape } from '../../../src/base/config/settings.ts';
import { SETTINGS } from '../../../src/main/configuration.ts';
import { load } from './sources.ts';

const yaml = readFileSync(path.join(import.meta.dirname, '../../../config.example.yaml'), 'utf8');

test('config.example.yaml holds exactly the defaults', () => {
  assert.deepEqual(load({ yaml }).config, load().config);
});

test('config.example.yaml shows every setting below its description', () => {
  const { origins } = load({ yaml });
  const lines = yaml.split('\n');
  for (const { path: setting, description } of SETTINGS.values()) {
    const origin = origins.get(setting);
    assert.ok(origin?.kind === 'file', `${setting} is missing from config.example.yaml`);
    assert.equal(lines[origin.line - 2]?.trim(), `# ${description}`, setting);
  }
});

test('every setting has a default, and settings and fields of list entries have a description of one sentence', () => {
  const checkDescription = (name: string, { description = '' }: Shape): void => {
    assert.match(description, /^[A-Z][^\n]{5,}\.$/, name);
    assert.doesNotMatch(description, /\.\s+[A-Z]/, name);
  };
  const checkFields = (list: string, { items }: Shape): void => {
    for (const [name, field] of Object.entries(items?.properties ?? {})) {
      checkDescription(`${list}[].${name}`, field);
      checkFields(`${list}[].${name}`, field);
    }
  };
  for (const { path: setting, shape } of SETTINGS.values()) {
    assert.notEqual(shape.default, undefined, setting);
    checkDescription(setting, shape);
    checkFields(setting, shape);
  }
});

test('every number has a lower bound, and its description names its unit', () => {
  const units: ReadonlyArray<readonly [name: RegExp, unit: RegExp]> = [
    [/_ms$/, /milliseconds/],
    [/_sec$/, /\bseconds/],
    [/_hours$/, /hours/i],
    [/_days$/, /days/],
    [/_bytes$|\.body_limits\./, /bytes/],
    [/_mb$/, /MiB/],
    [/_chars$/, /characters/],
  ];
  for (const { path: setting, shape, description } of SETTINGS.values()) {
    const numbers = [shape, ...(shape.anyOf ?? [])].filter(({ type }) => type === 'integer' || type === 'number');
    for (const { minimum, exclusiveMinimum } of numbers)
      assert.notEqual(minimum ?? exclusiveMinimum, undefined, setting);
    for (const [name, unit] of units) if (name.test(setting)) assert.match(description, unit, setting);
  }
});
