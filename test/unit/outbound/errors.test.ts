import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detailOf } from '../../../src/base/outbound/errors.ts';

const systemError = (code: string, more: object = {}): Error =>
  Object.assign(new Error(`connect ${code}`), { code, ...more });

test('faults of names and sockets are told in words, with the code for whoever looks it up', () => {
  const told = {
    ECONNREFUSED: 'nothing accepts connections there',
    ECONNRESET: 'the other side closed the connection',
    EPIPE: 'the other side closed the connection',
    ETIMEDOUT: 'nothing answers there',
    EHOSTUNREACH: 'the address cannot be reached',
    ENOTFOUND: 'there is no such name',
    EAI_AGAIN: 'the name server does not answer',
  };
  for (const [code, words] of Object.entries(told)) assert.equal(detailOf(systemError(code)), `${words} (${code})`);
  const where = systemError('ECONNREFUSED', { address: '192.0.2.7', port: 443 });
  assert.equal(detailOf(where), 'nothing accepts connections there (ECONNREFUSED 192.0.2.7:443)');
});

test('of several addresses each is told, and other errors as they say themselves', () => {
  const both = new AggregateError([systemError('ECONNREFUSED'), systemError('EHOSTUNREACH')]);
  assert.equal(
    detailOf(both),
    'nothing accepts connections there (ECONNREFUSED); the address cannot be reached (EHOSTUNREACH)',
  );
  assert.equal(detailOf(new Error('self-signed certificate')), 'self-signed certificate');
});
