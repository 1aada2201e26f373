import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonObject } from '../../../src/base/json.ts';
import { filledIn, valuesFor } from '../../../src/features/calls/carriers/thread/texts.ts';
import { type Contact, emptyContact } from '../../../src/features/contacts/contact.ts';

const contact: Contact = {
  ...emptyContact,
  id: 'c',
  orgId: 'o',
  optOut: null,
  version: 1,
  createdAt: 0,
  updatedAt: 0,
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  company: 'Engines Ltd',
  phone: '+4930901820',
  metadata: JsonObject.of({ plan: 'basic', since: 1842, tags: ['a'], phone: 'never' }),
};

const call = {
  callerName: null,
  callerEmail: null,
  metadata: JsonObject.of({ plan: 'gold' }),
  from: '+4930901800',
  to: '+4930901820',
  direction: 'outbound',
  agentName: 'Mia',
} as const;

test('texts name the other party, the agent, and keys of the metadata of the call before those of the contact', () => {
  const values = valuesFor({ call }, contact);
  const text =
    '{{name}}|{{ first_name }}|{{last_name}}|{{email}}|{{company}}|{{phone}}|{{agent_name}}|{{plan}}|{{since}}';
  assert.equal(
    filledIn(text, values),
    'Ada Lovelace|Ada|Lovelace|ada@example.com|Engines Ltd|+4930901820|Mia|gold|1842',
  );
});

test('what is unknown or not a scalar becomes empty, and braces that name nothing stay', () => {
  const values = valuesFor({ call }, undefined);
  assert.equal(
    filledIn('<{{nothing}}{{tags}}{{name}}{{first_name}}> {{}} {x} {{{plan}}}', values),
    '<> {{}} {x} {gold}',
  );
  assert.equal(filledIn(null, values), null);
});

test('a value that looks like a name is not filled in again', () => {
  const values = valuesFor({ call: { ...call, callerName: '{{plan}} $&' } }, undefined);
  assert.equal(filledIn('Hello {{name}}', values), 'Hello {{plan}} $&');
});

test('the other party of an incoming call is the caller', () => {
  const values = valuesFor({ call: { ...call, direction: 'inbound' } }, undefined);
  assert.equal(filledIn('{{phone}}', values), '+4930901800');
});
