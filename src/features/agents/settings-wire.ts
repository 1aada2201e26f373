import {
  boolean,
  id,
  integer,
  label,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  phone,
  text,
  timeZone,
  type TSchema,
  Type,
} from '../../kernel/schema.ts';
import { type agentDefaults, agentStatuses, webhookEventNames } from './agent.ts';
import { type EditionField, editionFields } from './editions/edition.ts';
import type { WebhookSettings } from './webhook-settings.ts';

export const status = () => oneOf(agentStatuses, { description: 'An INACTIVE agent places no calls' });
export const model = () =>
  Type.String({ minLength: 1, maxLength: 200, description: 'Model name: the llmModel of an available model' });
export const voiceId = () =>
  Type.String({ minLength: 1, maxLength: 200, description: 'Id of one of the voices of the model' });

/** Optional fields of a body. Only the webhook fields are snake_case. */
export const optionalFields = {
  status: optional(status()),
  temperature: optional(number({ minimum: 0, maximum: 2 })),
  reminderTriggerMs: optional(integer({ minimum: 1000, maximum: Number.MAX_SAFE_INTEGER })),
  maxCallDurationMs: optional(integer({ minimum: 10_000, maximum: 7_200_000 })),
  silenceTimeoutMs: optional(
    integer({
      minimum: 5000,
      maximum: 600_000,
      description: 'Hangs up when the other person was not heard for this long',
    }),
  ),
  calendarTimezone: optional(timeZone()),
  emotion: optional(boolean()),
  voicemailDetection: optional(boolean({ description: 'Recognizes mailboxes in outbound calls of the carrier sip' })),
  emergencyFallback: optional(nullable(phone())),
  recordCalls: optional(boolean({ description: 'Records calls of the carrier sip and test calls' })),
  recordingNotice: optional(nullable(text(500, 1))),
  transferPhone: optional(nullable(phone('Where calls are transferred to by default, in E.164 format'))),
  prompt: optional(nullable(text(65_536))),
  firstMessage: optional(nullable(text(20_000))),
  voicemailMessage: optional(nullable(text(20_000))),
  knowledgeBaseIds: optional(list(id('knowledge base'), { maxItems: 100, uniqueItems: true })),
  edition_note: optional(nullable(text(200, 0))),
  webhook_url: optional(nullable(Type.String({ description: 'Sets a single webhook URL (HTTPS); null removes all' }))),
  webhook_urls: optional(
    nullable(
      list(Type.String(), {
        maxItems: 10,
        uniqueItems: true,
        description: 'Sets all webhook URLs (HTTPS); null or [] removes all',
      }),
    ),
  ),
  webhook_events: optional(list(oneOf(webhookEventNames), { uniqueItems: true })),
} satisfies Record<keyof typeof agentDefaults | keyof WebhookSettings | 'edition_note', TSchema>;

const settings = {
  agentName: optional(label()),
  model: optional(model()),
  voiceId: optional(voiceId()),
  ...optionalFields,
};

/** The settings of which an edition consists, each of them optional. */
export const editionSettingsSchema = object(
  Object.fromEntries(editionFields.map((field) => [field, settings[field]])) as Pick<typeof settings, EditionField>,
  { title: 'AgentSettingsToTry' },
);
