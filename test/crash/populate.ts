import type { Client } from './client.ts';
import type { Target } from './writer.ts';

export type Populated = {
  target: Target;
  /** The secret that signs the webhooks. */
  secret: string;
  /** A campaign contact whose calling window is closed. As long as it waits, the campaign does not complete. */
  sentinelId: string;
};

const callerId = '+12025550199';
const sentinelPhone = '+493099999999';

/** Creates an agent with two webhook URLs, a number, and an active campaign. */
export async function populate(
  client: Client,
  { webhookUrl, retries }: { webhookUrl: string; retries: number },
): Promise<Populated> {
  type Model = { llmModel: string; isActive: boolean; voices: Array<{ id: string }> };
  type Made = { id: string };
  const models = await client.ask<Model[]>('GET', '/available-llm-models/with-voices');
  const { llmModel: model, voices } = models.find(({ isActive }) => isActive)!;
  const agent = await client.ask<Made>('POST', '/agents/', {
    agentName: 'Robin',
    model,
    voiceId: voices[0]!.id,
    webhook_urls: [`${webhookUrl}/one`, `${webhookUrl}/two`],
  });
  const { secret } = await client.ask<{ secret: string }>('GET', `/agents/${agent.id}/webhook-secret`);
  const number = await client.ask<Made>('POST', '/phone-numbers/import', {
    phone: callerId,
    termination_uri: 'sip.example.com',
  });
  await client.ask('PATCH', `/phone-numbers/${number.id}`, { max_cps: 100 });
  const campaign = await client.ask<Made>('POST', '/campaigns/', {
    name: 'Spring',
    agentId: agent.id,
    phoneNumberId: number.id,
    maxCps: 100,
    schedule: { ...windowAroundNow(), timezone: 'UTC', maxConcurrent: 80, retryAttempts: retries, retryGapMin: 1 },
  });
  const sentinel = await client.ask<Made>('POST', '/contacts/', {
    phone: sentinelPhone,
    timezone: 'Pacific/Kiritimati', // UTC+14
  });
  await client.ask('POST', `/campaigns/${campaign.id}/contacts`, { contact_ids: [sentinel.id] });
  const keeper = await client.ask<Made>('POST', '/contacts/', { first_name: 'Kim' });
  await client.ask('PATCH', `/campaigns/${campaign.id}/`, { status: 'active' });
  const target = { campaignId: campaign.id, agentId: agent.id, from: callerId, keeperId: keeper.id };
  return { target, secret, sentinelId: sentinel.id };
}

/** A calling window in UTC from an hour ago to three hours ahead. Late in the evening it crosses midnight, which is allowed. */
export function windowAroundNow(): { windowStart: string; windowEnd: string } {
  const now = Temporal.Now.plainTimeISO('UTC');
  const timeOfDay = (time: Temporal.PlainTime): string => time.toString({ smallestUnit: 'minute' });
  return { windowStart: timeOfDay(now.subtract({ hours: 1 })), windowEnd: timeOfDay(now.add({ hours: 3 })) };
}
