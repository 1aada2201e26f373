import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createValidator } from '../../../src/http/input/schema-validator.ts';
import { integer, list, object, optional, phone, text } from '../../../src/kernel/schema.ts';

const schema = object({
  numbers: optional(list(integer(), { maxItems: 3 })),
  groupList: optional(list(object({ tags: list(text(5), { maxItems: 2 }) }), { maxItems: 2 })),
  phone: optional(phone()),
});

for (const bothCases of [false, true]) {
  const faultsOf = (input: unknown) => createValidator(schema, { noun: 'field', bothCases })(input).faults;
  const whose = bothCases ? 'in either case' : 'as it is';

  test(`a list that is too long is one fault, and the excess entries are not validated: ${whose}`, () => {
    const numbers = [1, 'two', 3, ...Array.from({ length: 1000 }, () => 'beyond')];
    assert.deepEqual(faultsOf({ numbers, phone: '7' }), [
      { path: 'numbers', message: 'must have at most 3 entries' },
      { path: 'numbers[1]', message: 'must be a whole number' },
      {
        path: 'phone',
        message: 'must be a telephone number in E.164 form with a valid country code, like +4930901820',
      },
    ]);
  });

  test(`nested lists are limited, too: ${whose}`, () => {
    const tags = ['a', 'b', 'c'];
    const groupList = [{ tags: [] }, { tags }, { tags }];
    assert.deepEqual(
      faultsOf({ groupList }).map(({ path }) => path),
      ['groupList', 'groupList[1].tags'],
    );
    assert.deepEqual(faultsOf({ groupList: [{ tags: ['a', 'b'] }], numbers: [1, 2, 3] }), []);
  });

  test(`a value that is not a list is left to the validator: ${whose}`, () => {
    for (const [value, path] of [
      [{ numbers: { length: 9 } }, 'numbers'],
      [{ groupList: 'abcdef' }, 'groupList'],
      [{ groupList: [null] }, 'groupList[0]'],
      [{ groupList: [{ tags: 7 }] }, 'groupList[0].tags'],
    ] as const) {
      assert.deepEqual(
        faultsOf(value).map((fault) => fault.path),
        [path],
      );
    }
  });
}
