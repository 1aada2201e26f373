import type { Page } from 'playwright-core';
import type { TestServer } from '../support/server.ts';

/** A second of silence, as WAV. */
function silence(): Buffer {
  const data = Buffer.alloc(16_000);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + data.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(16_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}

/** Gives a call a recording with one slow reply; simulated calls have none of their own. `loaded` counts what was asked of its sound. */
export async function serveRecording(page: Page, server: TestServer, id: string): Promise<{ loaded: number }> {
  const path = `/api/v1/calls/${id}`;
  const sound = { loaded: 0 };
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = (await response.json()) as { data: object };
    await route.fulfill({
      response,
      json: { ...rest, data: { ...data, recording_url: `${server.url}${path}/recording` } },
    });
  });
  await page.route(`**${path}/envelope?*`, async (route) => {
    const [agentSide, person] = [
      Array.from({ length: 400 }, (_, at) => at % 256),
      Array.from({ length: 400 }, () => 20),
    ];
    const data = { duration_ms: 1000, agent: agentSide, person };
    await route.fulfill({ json: { success: true, message: '', data, request_id: 'r' } });
  });
  await page.route(`**${path}/turns`, async (route) => {
    const latency = { hearing_ms: 200, thinking_ms: 1300, tools_ms: 100, voice_ms: 300, total_ms: 1900 };
    const slow = { role: 'agent', text: 'One moment.', from_ms: 700, to_ms: 900, interrupted: true, latency };
    const data = [{ ...slow, tools: [{ name: 'find_slots', duration_ms: 100, failed: false }], passages: null }];
    await route.fulfill({ json: { success: true, message: '', data, request_id: 'r' } });
  });
  await page.route(`**${path}/recording`, async (route) => {
    sound.loaded++;
    await route.fulfill({ body: silence(), contentType: 'audio/wav' });
  });
  return sound;
}
