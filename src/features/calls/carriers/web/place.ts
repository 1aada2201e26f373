import { type Fault, invalid, notFound } from '../../../../base/errors.ts';
import { emptyObject, type JsonObject } from '../../../../base/json.ts';
import { transact } from '../../../../db/transaction.ts';
import type { App } from '../../../../kernel/app.ts';
import { findAgent } from '../../../agents/service.ts';
import { nameOf } from '../../../contacts/contact.ts';
import { findContacts } from '../../../contacts/service.ts';
import type { Call } from '../../call.ts';
import { checkSilence, leaseUntil } from '../../service.ts';
import * as store from '../../store.ts';
import type { WebSettings } from './settings.ts';

export type TestCall = { agentId: string; contactId?: string; metadata?: JsonObject; sendsEvent: boolean };

/**
 * Writes a test call. It needs no number, and no limit, window or list forbids it.
 * @throws notFound for an agent, invalid for a contact that the organization does not have
 */
export function placeTestCall(app: App, settings: WebSettings, orgId: string, input: TestCall): Promise<Call> {
  return transact(app.db, orgId, async (tx) => {
    const agent = await findAgent(tx, orgId, input.agentId);
    if (!agent) throw notFound('agent');
    const [contact] = input.contactId === undefined ? [] : await findContacts(tx, orgId, [input.contactId]);
    const faults: Fault[] = [{ path: 'contact_id', message: 'no such contact' }];
    if (input.contactId !== undefined && !contact) throw invalid(faults);
    const [id, now] = [app.ids.make(), app.clock.now()];
    await store.insertCall(tx, {
      id,
      organization_id: orgId,
      agent_id: agent.id,
      agent_name: agent.agentName,
      agent_edition: agent.edition,
      phone_number_id: null,
      contact_id: contact?.id ?? null,
      attempt: 1,
      driver: 'web',
      direction: 'outbound',
      channel: 'web',
      from_phone: store.withheld,
      to_phone: '',
      caller_name: contact ? nameOf(contact) : null,
      caller_email: contact?.email ?? null,
      sends_event: input.sendsEvent ? 1 : 0,
      metadata: (input.metadata ?? emptyObject).text,
      max_duration_ms: Math.min(agent.maxCallDurationMs, settings.max_duration_sec * 1000),
      state: 'dialing',
      created_at: now,
      slot_at: now,
      started_at: now,
      handed_over_at: now,
    });
    const call = (await store.callById(tx, id))!;
    await checkSilence(app, tx, orgId, leaseUntil(call));
    return call;
  });
}
