import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countryOf, nationalPhone } from '../../../src/base/written-phone.ts';

test('digits are read as telephone systems of the country write numbers', () => {
  const forms: ReadonlyArray<readonly [string, string, string | undefined]> = [
    ['030901820', 'DE', '+4930901820'],
    ['004930901820', 'DE', '+4930901820'],
    ['0044207946000', 'DE', undefined],
    ['00442079460000', 'DE', '+442079460000'],
    ['02079460000', 'GB', '+442079460000'],
    ['2125550123', 'US', '+12125550123'],
    ['12125550123', 'US', '+12125550123'],
    ['01144207946000', 'US', undefined],
    ['011442079460000', 'US', '+442079460000'],
    ['0612345678', 'IT', '+390612345678'],
    ['3123456789', 'IT', '+393123456789'],
    ['612345678', 'ES', '+34612345678'],
    ['0612345678', 'HU', '+3612345678'],
    ['84951234567', 'RU', '+74951234567'],
    // An extension, a number of the same town, and one that only `dial_format: digits` takes as E.164.
    ['100', 'DE', undefined],
    ['12345', 'DE', undefined],
    ['9018200', 'DE', undefined],
    ['4930901820', 'DE', undefined],
    ['5550123', 'US', undefined],
  ];
  for (const [digits, country, expected] of forms)
    assert.equal(nationalPhone(digits, country), expected, `${digits} ${country}`);
});

test('a number has the country of its calling code and area', () => {
  assert.deepEqual(['+4930901820', '+12125550123', '+77012345678', '+80012345678'].map(countryOf), [
    'DE',
    'US',
    'KZ',
    null,
  ]);
});
