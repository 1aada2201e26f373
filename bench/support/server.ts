import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/main/configuration.ts';
import { createLog, type Log, type LogOptions } from '../../src/base/log.ts';
import { createLogBuffer } from '../../src/base/log-buffer.ts';
import { createAgent } from '../../src/features/agents/service.ts';
import { type Running, start, type StartOptions } from '../../src/main.ts';

export type Server = Running & { finish(): Promise<void> };

/**
 * Starts a complete server in this process, on a new data directory with durable commits unless it is `ephemeral`. Loopback webhooks are
 * allowed. It logs as shipped, to a temporary file. A directory given as `data` stays when it finishes.
 */
export async function startServer(
  settings: Readonly<Record<string, string>> = {},
  { data: kept, ...options }: Pick<StartOptions, 'ephemeral' | 'testClock'> & { data?: string } = {},
): Promise<Server> {
  const data = kept ?? mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const all = { data, 'http.port': '0', 'webhooks.allow_http_loopback': 'true', ...settings };
  const { config } = loadConfig({
    argvSettings: Object.entries(all).map(([path, value]) => ({ path, value })),
    env: {},
    readFile: (path) => readFileSync(path, 'utf8'),
  });
  const file = openLog(config.log);
  const running = await start({ config, log: file.log, ...options });
  return {
    ...running,
    async finish() {
      await running.stop();
      file.close();
      if (kept === undefined) rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Writes to a file as the log of `parley serve` is written to standard error: once per tick of the event loop. */
function openLog({ level, format }: Pick<LogOptions, 'format'> & { level: string }): { log: Log; close(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'parley-bench-log-'));
  const file = openSync(join(directory, 'log'), 'a');
  let isOpen = true;
  // A line may come after the end, such as one about an answer whose client has gone.
  const buffer = createLogBuffer((text) => void (isOpen && writeSync(file, text)));
  const log = createLog(level, { ...(format && { format }), destination: { write: (line) => buffer.add(line) } });
  return {
    log,
    close() {
      buffer.flush();
      isOpen = false;
      closeSync(file);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Creates an agent of the first organization with the first voice of the catalog. Returns its id. */
export async function makeAgent({ app, orgId }: Running, webhookUrls: readonly string[] = []): Promise<string> {
  const [model] = app.config.catalog.models;
  const [voice] = model?.voices ?? [];
  if (!model || !voice) throw new Error('the catalog is empty');
  const input = { agentName: 'Robin', model: model.llm_model, voiceId: voice.id, webhook_urls: [...webhookUrls] };
  return (await createAgent(app, orgId, input)).id;
}
