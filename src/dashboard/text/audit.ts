import { count, number } from './plural.ts';

export const audit = {
  heading: 'Audit',
  text: 'Who changed what, newest first.',
  empty: 'Nothing was changed yet.',
  time: 'Time',
  actor: 'Who',
  what: 'What',
  thing: 'Thing',
  which: 'Which',
  thisOne: 'This one',
  changed: 'What changed',
  history: 'History',
  secret: 'a secret',
  longText: (length: number) => `a text of ${number(length)} characters`,
  targetKinds: {
    agent: 'Agent',
    campaign: 'Campaign',
    contact: 'Contact',
    number: 'Number',
    knowledge_base: 'Knowledge base',
    user: 'Person',
    api_key: 'Key',
    organization: 'Organization',
    webhook_endpoint: 'Endpoint',
  },
  address: 'From address',
  from: 'From',
  until: 'Until',
  key: (name: string) => `Key “${name}”`,
  kinds: {
    api_key: 'A key',
    token: 'A token',
    session: 'A person',
    operator: 'Command on the server',
    anonymous: 'Nobody known',
  },
  things: {
    campaign: 'Campaign',
    contact: 'Contact',
    agent: 'Agent',
    base: 'Knowledge base',
    delivery: 'Delivery',
    endpoint: 'Endpoint',
    key: 'Key',
    person: 'Person',
    number: 'Number',
    call: 'Call',
    note: 'Note',
  },
  times: (n: number) => count(n, 'time', 'times'),
  suffixes: {
    refused: 'refused by the role',
    failed: 'failed',
    locked: 'locked after too many tries',
  } as Readonly<Record<string, string>>,
  targetOf: (kind: string, name: string) => `${kind} ${name}`.trim(),
};

/** `createCampaign.refused` as "Create campaign (refused by the role)". */
export function operationText(operation: string): string {
  const [name = '', suffix] = operation.split('.');
  const known = suffix === undefined ? undefined : audit.suffixes[suffix];
  const words = (known === undefined ? operation : name)
    .replaceAll(/[._-]/g, ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  const sentence = words.charAt(0).toUpperCase() + words.slice(1);
  return known === undefined ? sentence : `${sentence} (${known})`;
}
