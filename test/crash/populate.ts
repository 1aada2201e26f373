import type { Client } from './client.ts';
import type { Target } from './writer.ts';

export type Populated = {
  target: Target;
  /** What signs the webhooks. */
  secret: string;
  /** A contact of the campaign whose window is closed: while it waits, the campaign is not completed. */
  sentinelId: string;
};

const callerId = '+12025550199';
const sentinelPhone = '+493099999999';

/** Makes an agent with two webhook URLs, a number, and a campaign that runs. */
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

/** From an hour ago for four hours, in UTC; late in the evening that crosses midnight, which a window may. */
function windowAroundNow(): { windowStart: string; windowEnd: string } {
  const now = Temporal.Now.plainTimeISO('UTC');
  const timeOfDay = (time: Temporal.PlainTime): string => time.toString({ smallestUnit: 'minute' });
  return { windowStart: timeOfDay(now.subtract({ hours: 1 })), windowEnd: timeOfDay(now.add({ hours: 3 })) };
}
