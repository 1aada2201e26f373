import type { Contact } from '../../../contacts/contact.ts';
import { nameOf } from '../../../contacts/contact.ts';
import type { Call } from '../../call.ts';

/** Names of values in texts: `{{first_name}}`. */
const placeholder = /\{\{\s*([^{}\s][^{}]{0,100}?)\s*\}\}/g;

type Source = {
  call: Pick<Call, 'callerName' | 'callerEmail' | 'metadata' | 'from' | 'to' | 'direction' | 'agentName'>;
};

/**
 * The values that an agent's texts may name. Those of the other party come before keys of the call's `metadata`, and these before keys of
 * the contact's.
 */
export function valuesFor({ call }: Source, contact: Contact | undefined): Map<string, string> {
  const values = new Map<string, string>();
  const addAll = (metadata: Record<string, unknown>): void => {
    for (const [key, value] of Object.entries(metadata)) {
      if (['string', 'number', 'boolean'].includes(typeof value)) values.set(key, String(value));
    }
  };
  if (contact) addAll(contact.metadata.parsed());
  addAll(call.metadata.parsed());
  const name = call.callerName ?? (contact ? nameOf(contact) : null);
  const [first, ...rest] = (name ?? '').split(' ');
  const own: Record<string, string | null | undefined> = {
    name,
    first_name: contact?.firstName ?? first,
    last_name: contact?.lastName ?? rest.join(' '),
    email: contact?.email ?? call.callerEmail,
    company: contact?.company,
    phone: (call.direction === 'inbound' ? call.from : call.to) || contact?.phone,
    agent_name: call.agentName,
  };
  for (const [key, value] of Object.entries(own)) values.set(key, value ?? '');
  return values;
}

/** Fills in `{{name}}`; what has no value becomes empty. */
export const filledIn = (text: string | null, values: ReadonlyMap<string, string>): string | null =>
  text === null ? null : text.replace(placeholder, (_all, key: string) => values.get(key) ?? '');
