/** What each tag of the route table stands for, in the order in which a reader meets them. */
export const tags: Readonly<Record<string, string>> = {
  Agents: 'Voice agents: each has an LLM model, a voice of that model, a prompt, and the URLs that its webhooks go to.',
  'Knowledge bases':
    'What agents look things up in: texts, files, crawled sites and documents, and the passages found in them.',
  Contacts: 'People with their notes; imported from and exported to CSV.',
  'Do not call': 'Telephone numbers that no campaign and no call reaches.',
  'Phone numbers': 'Numbers that calls are made from: imported from a SIP trunk or bought from the inventory.',
  Calls: 'Single calls, and the record of every call.',
  Campaigns: 'Outbound campaigns: which contacts an agent calls, when, how many at a time, and how often again.',
  Calendar: 'Connections to a calendar-scheduling provider (Cal.com), its event types, free times and bookings.',
  Webhooks: 'The `call.completed` event: endpoints, deliveries and their attempts, secrets.',
  Notices: 'What an organization was told, such as that a webhook endpoint is failing.',
  Organization: 'The organization itself, its API keys and access tokens.',
  System: 'The installation: readiness, version, carrier, and the clock of tests.',
};
