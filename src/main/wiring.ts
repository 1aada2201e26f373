import { agentActivated, agentDeactivated, agentDeleting, agentForgetting } from '../features/agents/events.ts';
import * as agents from '../features/agents/subscribers.ts';
import { callEnded } from '../features/calls/events.ts';
import * as calls from '../features/calls/service.ts';
import { lookAgain, setCampaignCalls } from '../features/calls/withdrawal.ts';
import { campaignCalls } from '../features/campaigns/dialing/last-look.ts';
import { bookSlotTool, findSlots } from '../features/calendar/call-tools.ts';
import { searchKnowledge } from '../features/calls/tools/knowledge.ts';
import { setCallTools } from '../features/calls/tools/tool.ts';
import { transferCall } from '../features/calls/tools/transfer.ts';
import * as campaigns from '../features/campaigns/subscribers.ts';
import { contactChanged, contactDeleting, contactForgetting, doNotCallChanged } from '../features/contacts/events.ts';
import { endpointsSaved } from '../features/endpoints/events.ts';
import { knowledgeBaseRemoved } from '../features/knowledge/events.ts';
import {
  carrierOutOfReach,
  carrierPaused,
  carrierResumed,
  numberLimitsRaised,
  numberReleasing,
} from '../features/numbers/events.ts';
import * as numbers from '../features/numbers/service.ts';
import { onPersonLinked } from '../features/notifications/link-email.ts';
import * as notifications from '../features/notifications/subscribers.ts';
import { contactRulesChanged } from '../features/organizations/events.ts';
import { personLinked } from '../features/organizations/people/events.ts';
import { endpointFailing } from '../features/webhooks/events.ts';
import * as webhooks from '../features/webhooks/subscribers.ts';
import type { Tx } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';

const lookAgainAt = (app: App, tx: Tx, { orgId }: { orgId: string }): Promise<void> => {
  lookAgain(app, tx, orgId);
  return Promise.resolve();
};

/**
 * Subscribes features to the events of other features. The subscribers of one event run in the order given here. A carrier driver
 * subscribes to events itself, when it starts (calls/carriers/driver.ts).
 */
export function subscribe(app: App): void {
  setCampaignCalls(app, campaignCalls);
  setCallTools(app, [searchKnowledge, findSlots, bookSlotTool, transferCall]);
  app.events.on(callEnded, campaigns.onCallEnded);
  app.events.on(callEnded, webhooks.onCallEnded);
  app.events.on(knowledgeBaseRemoved, agents.onKnowledgeBaseRemoved);
  app.events.on(endpointsSaved, webhooks.onEndpointsSaved);
  app.events.on(agentActivated, campaigns.onAgentActivated);
  app.events.on(agentDeactivated, lookAgainAt);
  app.events.on(agentDeleting, calls.onAgentDeleting);
  app.events.on(agentDeleting, campaigns.onAgentDeleting);
  app.events.on(agentForgetting, numbers.onAgentForgetting);
  app.events.on(agentForgetting, campaigns.onAgentForgetting);
  app.events.on(contactDeleting, calls.onContactDeleting);
  app.events.on(contactForgetting, calls.onContactForgetting);
  app.events.on(contactForgetting, campaigns.onContactForgetting);
  app.events.on(contactChanged, campaigns.onContactChanged);
  app.events.on(contactChanged, lookAgainAt);
  app.events.on(doNotCallChanged, campaigns.onDoNotCallChanged);
  app.events.on(doNotCallChanged, lookAgainAt);
  app.events.on(contactRulesChanged, campaigns.onContactRulesChanged);
  app.events.on(contactRulesChanged, lookAgainAt);
  app.events.on(numberReleasing, campaigns.onNumberReleasing);
  app.events.on(numberLimitsRaised, campaigns.onNumberLimitsRaised);
  app.events.on(carrierPaused, campaigns.onCarrierPaused);
  app.events.on(carrierResumed, campaigns.onCarrierResumed);
  app.events.on(carrierOutOfReach, notifications.onCarrierOutOfReach);
  app.events.on(endpointFailing, notifications.onEndpointFailing);
  app.events.on(personLinked, onPersonLinked);
}
