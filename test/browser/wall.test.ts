import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDashboard } from './dashboard.ts';

const [idleSec, maxSec] = [60, 600];
const { server, visit } = await startDashboard({
  settings: { 'auth.session.idle_sec': String(idleSec), 'auth.session.max_sec': String(maxSec) },
});

test('the wall keeps its session in use while it is open, but not for longer than a session may last', async () => {
  const { page } = await visit({ role: 'viewer', path: '/account' });
  await page.clock.install();
  await page.goto(`${server.url}/live`);
  await page.getByRole('list', { name: 'On the phone', exact: true }).waitFor({ state: 'attached' });
  const sessionNow = () => page.evaluate<string>("fetch('/api/v1/session').then((answer) => answer.text())");
  await page.route('**/api/v1/session', (route) => route.abort(), { times: 1 });
  for (let passedSec = 0; passedSec < 3 * idleSec; passedSec += idleSec / 3) {
    await server.advance((idleSec / 3) * 1000);
    // The first one fails, which does not make it wait longer for the next.
    const kept = passedSec === 0 ? page.waitForEvent('requestfailed') : page.waitForResponse('**/api/v1/session');
    await page.clock.runFor((idleSec / 3) * 1000);
    await kept;
  }
  assert.match(await sessionNow(), /"user"/);
  await server.advance(maxSec * 1000);
  assert.match(await sessionNow(), /"data":null/);
});
