import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from 'koa';
import {
  cookieName,
  expiredCookie,
  sessionCookie,
  sessionSecretsIn,
} from '../../../src/features/organizations/sessions/cookie.ts';
import { isFromOwnPage } from '../../../src/http/origin.ts';
import { createTestApp } from '../../support/app.ts';

const secure = { 'http.public_url': 'https://parley.example.com/' };

const request = (headers: Readonly<Record<string, string>>): Context =>
  ({
    headers,
    get: (name: string) => headers[name] ?? '',
    req: { socket: { remoteAddress: '192.0.2.1' } },
  }) as unknown as Context;

test('under an https public_url only its origin counts', async (t) => {
  const { app, close } = await createTestApp({ settings: secure });
  t.after(() => close());
  const isOwn = (origin: string, host: string) => isFromOwnPage(app, request({ origin, host }));
  assert.equal(isOwn('https://parley.example.com', 'parley.example.com'), true);
  assert.equal(isOwn('HTTPS://parley.example.com', '127.0.0.1:8080'), true);
  for (const origin of [
    'http://parley.example.com',
    'https://parley.example.com:8443',
    'https://example.com',
    'null',
    '',
  ]) {
    assert.equal(isOwn(origin, 'parley.example.com'), false, origin);
  }
});

test('otherwise the address of the request counts, with its port, and that of public_url', async (t) => {
  const { app, close } = await createTestApp({ settings: { 'http.public_url': 'http://parley.lan:8080' } });
  t.after(() => close());
  const isOwn = (origin: string, host: string, more = {}) => isFromOwnPage(app, request({ origin, host, ...more }));
  assert.equal(isOwn('http://192.0.2.9:8080', '192.0.2.9:8080'), true);
  assert.equal(isOwn('http://[::1]:8080', '[::1]:8080'), true);
  assert.equal(isOwn('http://parley.lan:8080', '192.0.2.9:8080'), true);
  assert.equal(isOwn('http://parley.lan', 'parley.lan:80'), true, 'the default port is not written');
  assert.equal(isOwn('http://192.0.2.9:8081', '192.0.2.9:8080'), false);
  assert.equal(isOwn('http://evil.example', '192.0.2.9:8080', { 'x-forwarded-host': 'evil.example' }), false);
  assert.equal(isOwn('http://192.0.2.9:8080', '192.0.2.9:8080', { 'sec-fetch-site': 'cross-site' }), false);
  assert.equal(isOwn('http://192.0.2.9:8080', ''), false);
});

test('under an https public_url the cookie is Secure and has the prefix __Host-', async (t) => {
  const { app, close } = await createTestApp({ settings: secure });
  t.after(() => close());
  assert.match(cookieName(app), /^__Host-parley_[0-9a-f]{12}$/);
  const attributes = 'Path=/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure';
  assert.equal(sessionCookie(app, 'secret'), `${cookieName(app)}=secret; ${attributes}`);
  assert.equal(expiredCookie(app), `${cookieName(app)}=; ${attributes.replace('604800', '0')}`);
  const plain = cookieName(app).replace('__Host-', '');
  assert.deepEqual(sessionSecretsIn(app, `${plain}=planted; ${cookieName(app)}=own`), ['own']);
});
