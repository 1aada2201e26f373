/** Tags of the route table with their descriptions, in the order of the documentation. */
export const tags: Readonly<Record<string, string>> = {
  Agents:
    'An agent makes calls with an LLM model, one of its voices and a prompt, and reports them to your webhook URLs.',
  'Knowledge bases': 'Texts, files, websites and documents that agents search for answers during a call.',
  Contacts: 'People to call, with notes. Contacts can be imported from and exported to CSV.',
  'Do not call': 'Phone numbers that must never be called. The list applies to campaigns and to single calls.',
  'Phone numbers': 'Numbers to call from: imported from your SIP trunk or bought from the inventory.',
  Calls: 'Place single calls, and read the record of every call.',
  Conversations:
    'Talk to an agent by text, also with settings that are not saved, or say again what was said in a call. Nothing of it is stored.',
  Views: 'Lists with their filters that people want to see again.',
  Calling: 'Stop all calling of the organization at once, and resume it.',
  Campaigns:
    'An outbound campaign has an agent call a list of contacts, within a schedule, concurrency limits and retry rules.',
  Calendar: 'Connect Cal.com accounts, look up their event types and free slots, and book appointments.',
  Privacy: 'Erasing a person, and all that is known of one.',
  Webhooks:
    'Receive a `call.completed` event when a call ends. Inspect endpoints and deliveries, retry failures, and rotate secrets.',
  Search:
    'Find agents, campaigns, contacts, calls, numbers and knowledge bases by name, phone number, e-mail address or ID.',
  Live: 'Follow changes as a stream of events, instead of polling.',
  Notices: 'Messages to the organization, for example that a webhook endpoint is failing.',
  Sessions: 'How browsers log in: a session is a cookie, which counts wherever an API key or an access token does.',
  People: 'People who may log in, their roles, and the links with which they set a password.',
  Organization: 'Settings of the organization, API keys, access tokens and the audit log.',
  System: 'The installation: health probes, version, carrier and test clock.',
};
