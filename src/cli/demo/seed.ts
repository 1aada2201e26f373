import type { Api } from './api.ts';
import { people } from './people.ts';

export type Seeded = { agentId: string; campaignId: string; contacts: number; secret: string };

export type SeedOptions = {
  webhookUrl: string;
  contacts: number;
  /** Default: 20. */
  callsPerSecond?: number;
  /** The server's current time in Unix milliseconds; the calling window is open then. */
  nowMs: number;
};

const callerId = '+12025550199';
const maxConcurrent = 50;

type Model = { llmModel: string; isActive: boolean; voices: Array<{ id: string }> };

/**
 * Creates an agent, a number and a draft campaign with contacts over the public API. The campaign has no retries, because the
 * shortest gap before one is a minute and the demo would wait for it.
 */
export async function seed(
  api: Api,
  { webhookUrl, contacts, callsPerSecond = 20, nowMs }: SeedOptions,
): Promise<Seeded> {
  const { model, voiceId } = await pickModel(api);
  const { data: agent } = await api.post<{ id: string }>('/api/v1/agents/', {
    agentName: 'Ava',
    model,
    voiceId,
    firstMessage: 'Hello, this is Ava. Do you have a moment?',
    prompt: 'Find a time for a short meeting. Be brief and friendly.',
    webhook_url: webhookUrl,
    webhook_events: ['call.completed'],
  });
  const { data: signing } = await api.get<{ secret: string }>(`/api/v1/agents/${agent.id}/webhook-secret`);
  const { data: number } = await api.post<{ id: string }>('/api/v1/phone-numbers/import', {
    phone: callerId,
    name: 'Demo trunk',
    termination_uri: 'sip.example.com',
  });
  await api.patch(`/api/v1/phone-numbers/${number.id}`, { max_cps: callsPerSecond });
  const { data: campaign } = await api.post<{ id: string }>('/api/v1/campaigns/', {
    name: 'Spring invitations',
    agentId: agent.id,
    phoneNumberId: number.id,
    maxCps: callsPerSecond,
    schedule: { ...windowAround(nowMs), timezone: 'UTC', maxConcurrent, retryAttempts: 0 },
  });
  const { data: result } = await api.post<{ added: number }>(`/api/v1/campaigns/${campaign.id}/contacts`, {
    contacts: people(contacts),
  });
  return { agentId: agent.id, campaignId: campaign.id, contacts: result.added, secret: signing.secret };
}

export const activate = (api: Api, { campaignId }: Seeded): Promise<unknown> =>
  api.patch(`/api/v1/campaigns/${campaignId}/`, { status: 'active' });

/** An active model with one of its voices. */
export async function pickModel(api: Api): Promise<{ model: string; voiceId: string }> {
  const { data: models } = await api.get<Model[]>('/api/v1/available-llm-models/with-voices?limit=500');
  const model = models.find(({ isActive, voices }) => isActive && voices.length > 0);
  if (!model) throw new Error('the catalog has no active model with a voice');
  return { model: model.llmModel, voiceId: model.voices[0]!.id };
}

/** A calling window in UTC from a minute ago to two hours ahead. Late in the evening it crosses midnight, which is allowed. */
function windowAround(nowMs: number): { windowStart: string; windowEnd: string } {
  const timeOfDay = (atMs: number): string =>
    Temporal.Instant.fromEpochMilliseconds(atMs)
      .toZonedDateTimeISO('UTC')
      .toPlainTime()
      .toString({ smallestUnit: 'minute' });
  return { windowStart: timeOfDay(nowMs - 60_000), windowEnd: timeOfDay(nowMs + 7_200_000) };
}
