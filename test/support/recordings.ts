import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileOf, monthOf } from '../../src/features/calls/recordings/files.ts';
import { writeRecording } from '../../src/features/calls/recordings/service.ts';
import { findCall } from '../../src/features/calls/service.ts';
import type { App } from '../../src/kernel/app.ts';
import { wavHeader } from '../../src/talking/recording/wav.ts';

/** Gives a call a recording of a second of silence, as if its carrier had made it. */
export async function aRecording(app: App, callId: string): Promise<void> {
  const { orgId, createdAt } = (await findCall(app.db, callId))!;
  const file = fileOf(app, { callId, orgId, month: monthOf(createdAt) });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, Buffer.concat([wavHeader('PCMU', 16_000), Buffer.alloc(16_000, 0xff)]));
  await writeRecording(app, callId, orgId, { type: 'begun' });
}
