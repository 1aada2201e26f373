import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const parley = join(import.meta.dirname, '../../bin/parley.js');
const run = promisify(execFile);

/** An organization of the server under test, with a key of its own. */
export type Tenant = {
  orgId: string;
  /** Requests under /api/v1. A body that is not a string is sent as JSON. @throws Error for an answer of 400 or more */
  send<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T>;
};

/** Runs a command against the data directory of the server, and returns what it prints. */
export async function command(data: string, args: readonly string[], input = ''): Promise<string> {
  const running = run(process.execPath, [parley, ...args, '--data', data]);
  running.child.stdin?.end(input);
  return (await running).stdout.trim();
}

export function tenantOf(url: string, orgId: string, apiKey: string): Tenant {
  return {
    orgId,
    async send<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: {
          'x-api-key': apiKey,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
      return (JSON.parse(text) as { data: T }).data;
    },
  };
}

type Model = { llmModel: string; isActive: boolean; voices: Array<{ id: string }> };

export async function makeAgent(tenant: Tenant, webhookUrl: string): Promise<string> {
  const models = await tenant.send<Model[]>('GET', '/available-llm-models/with-voices?limit=500');
  const model = models.find(({ isActive }) => isActive)!;
  const agent = await tenant.send<{ id: string }>('POST', '/agents', {
    agentName: 'Robin',
    model: model.llmModel,
    voiceId: model.voices[0]!.id,
    webhook_url: webhookUrl,
  });
  return agent.id;
}

export const endpointsOf = (tenant: Tenant): Promise<Array<{ id: string }>> =>
  tenant.send('GET', '/webhooks/endpoints?limit=500');

export const makeBase = async (tenant: Tenant): Promise<string> =>
  (await tenant.send<{ knowledge_base_id: string }>('POST', '/rag/knowledgebases', { name: 'Base' })).knowledge_base_id;
