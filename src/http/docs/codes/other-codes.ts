import type { Vocabulary } from './vocabulary.ts';

/** The meanings of the codes in all other fields. */
export const otherCodes: readonly Vocabulary[] = [
  {
    name: 'Role',
    fields: ['role'],
    meanings: {
      viewer: 'Reads',
      member: 'Reads and changes, but for keys and people',
      admin: 'Does everything, keys and people included',
    },
  },
  {
    name: 'Status of a calendar connection',
    fields: ['status'],
    meanings: { active: 'An account is connected', not_connected: 'No account is connected' },
  },
  {
    name: 'Status of a person',
    fields: ['status'],
    meanings: { active: 'May log in', invited: 'Has not set a password yet' },
  },
  {
    name: 'Status of an agent',
    fields: ['status'],
    meanings: { ACTIVE: 'Places calls', INACTIVE: 'Places no calls' },
  },
  {
    name: 'Status of a phone number',
    fields: ['status'],
    meanings: { active: 'May call', released: 'Was given back, and calls no more' },
  },
  {
    name: 'Kind of a phone number',
    fields: ['type'],
    meanings: { sip: 'Imported from a trunk of your own', purchased: 'Taken from the inventory' },
  },
  {
    name: 'Registration of a number',
    fields: ['state'],
    meanings: {
      off: 'It does not register',
      registering: 'It waits for the first answer of the registrar',
      registered: 'The registrar sends its calls here',
      refused: 'The registrar refused the account; `detail` has its answer',
      unreachable: 'The registrar does not answer',
    },
  },
  {
    name: 'Transport of a trunk',
    fields: ['transport'],
    meanings: { udp: 'UDP', tcp: 'TCP', tls: 'TLS, with a certificate that is verified' },
  },
  {
    name: 'Form of dialed numbers',
    fields: ['dial_format'],
    meanings: { e164: 'With +', digits: 'Without +' },
  },
  {
    name: 'User in From',
    fields: ['sip_from'],
    meanings: {
      number: 'The caller number',
      username: '`sip_username`, with the number in P-Asserted-Identity and P-Preferred-Identity',
    },
  },
  {
    name: 'Kind of a source',
    fields: ['source_type'],
    meanings: {
      text: 'A text that was sent',
      url: 'A web site',
      file: 'An uploaded file',
      document: 'A document that was upserted by its `doc_id`',
    },
  },
  {
    name: 'Status of a source',
    fields: ['source_status', 'status'],
    meanings: {
      pending: 'Waits for its turn',
      processing: 'Is being read',
      complete: 'Was read, and is found',
      error: 'Could not be read; `error` says why',
    },
  },
  {
    name: 'Status of a knowledge base',
    fields: ['status'],
    meanings: {
      in_progress: 'A source is being processed',
      error: 'All of its sources failed',
      complete: 'Neither of the two; a source may have failed',
    },
  },
  {
    name: 'Retrieval',
    fields: ['retrieval'],
    meanings: { full_text: 'By words', hybrid: 'By words and meaning' },
  },
  {
    name: 'Change of a line of text',
    fields: ['op'],
    meanings: { '=': 'The same in both', '-': 'Only in the earlier', '+': 'Only in the later' },
  },
  {
    name: 'Event of a webhook',
    fields: ['event', 'type', 'webhook_events', 'webhookEvents'],
    meanings: { 'call.completed': 'A call has ended, however it went; `status` says how' },
  },
  {
    name: 'Status of a webhook endpoint',
    fields: ['status'],
    meanings: {
      delivering: 'Events are sent',
      failing:
        'Five attempts of an event failed, or it answered 410: events wait as `held`, and only that event is tried once more',
      paused: 'Somebody paused it: events wait as `held`, and nothing is tried',
    },
  },
  {
    name: 'Status of a delivery',
    fields: ['status'],
    meanings: {
      pending: 'Waits for its first attempt',
      delivering: 'Is being sent',
      delivered: 'Was answered with 2xx',
      retrying: 'An attempt failed; the next one has its time',
      held: 'Waits until its endpoint delivers again',
      exhausted: 'All attempts failed; it can be sent again by hand',
      cancelled: 'Its URL was removed from the agent',
    },
  },
  {
    name: 'How a caller was known',
    fields: ['kind'],
    meanings: {
      api_key: 'An API key',
      token: 'An access token',
      session: 'A person in a browser',
      operator: "A command on the server's machine",
      anonymous: 'A request without valid credentials',
    },
  },
  {
    name: 'Topic of a notice',
    fields: ['kind'],
    meanings: {
      'webhook.endpoint_failing': 'A webhook endpoint fails and was paused',
      'carrier.out_of_reach': 'The carrier of a number is out of reach',
      'backup.failed': 'A scheduled backup failed',
    },
  },
  {
    name: 'Kind of what was found',
    fields: ['kind'],
    meanings: {
      agent: 'An agent',
      campaign: 'A campaign',
      contact: 'A contact',
      call: 'A call',
      number: 'A phone number',
      knowledge_base: 'A knowledge base',
    },
  },
  {
    name: 'Kind of what was changed',
    fields: ['target_kind'],
    meanings: {
      agent: 'An agent',
      campaign: 'A campaign',
      contact: 'A contact',
      number: 'A phone number',
      knowledge_base: 'A knowledge base',
      user: 'A person who may log in',
      api_key: 'An API key',
      organization: 'The organization and its settings',
      webhook_endpoint: 'A webhook endpoint',
    },
  },
  {
    name: 'What an operation does',
    fields: ['verb'],
    meanings: {
      create: 'Makes something',
      update: 'Changes something',
      delete: 'Removes something',
      start: 'Starts a campaign, or resumes one',
      stop: 'Pauses or completes a campaign',
      read: 'Takes out recordings, exports or all that is known of a person',
    },
  },
  {
    name: 'State of an erasure',
    fields: ['state'],
    meanings: { running: 'Under way', done: 'Nothing is left' },
  },
  {
    name: 'State of an import',
    fields: ['state'],
    meanings: {
      running: 'Under way',
      done: 'Every row was read',
      stopped: 'It ended before the end of the file; what it had written by then stays',
    },
  },
  {
    name: 'Repeated phones in an import',
    fields: ['dedupe'],
    meanings: {
      phone: 'A row whose phone a contact has is about that contact',
      none: 'Every row is a contact of its own',
    },
  },
  {
    name: 'Known contacts in an import',
    fields: ['on_duplicate'],
    meanings: { update: 'The row changes the contact', skip: 'The contact stays as it is' },
  },
  {
    name: 'Page of a view',
    fields: ['page'],
    meanings: {
      calls: 'Calls',
      'campaign-contacts': 'The contacts of a campaign',
      contacts: 'Contacts',
      deliveries: 'Deliveries of webhooks',
      analytics: 'Analytics',
      audit: 'The audit log',
    },
  },
  {
    name: 'Status of a check',
    fields: ['status'],
    meanings: {
      ok: 'Works',
      warn: 'May soon fail, or an optional part is off',
      fail: 'Does not work',
    },
  },
  {
    name: 'Readiness',
    fields: ['status'],
    meanings: {
      ready: 'Takes requests',
      degraded: 'The storage refuses writes; reads go on',
      starting: 'Takes no requests yet',
      draining: 'Takes no more requests, because it stops',
    },
  },
  { name: 'Liveness', fields: ['status'], meanings: { alive: 'The process answers' } },
  {
    name: 'Carrier',
    fields: ['driver', 'drivers'],
    meanings: {
      simulated: 'No telephone rings; the last digits of a number choose the outcome',
      http: 'A voice runtime of your own',
      sip: 'Trunks, by SIP',
    },
  },
  {
    name: 'Storage',
    fields: ['storage'],
    meanings: { sqlite: 'SQLite, in the data directory', postgres: 'PostgreSQL' },
  },
  {
    name: 'Role of a node',
    fields: ['roles'],
    meanings: {
      active: 'Answers and works; one node at a time',
      http: 'Answers requests',
      jobs: 'Runs jobs',
      telephony: 'Places and takes calls',
      standby: 'Waits for the active node to stop',
    },
  },
  { name: 'Kind of a token', fields: ['token_type'], meanings: { Bearer: 'Sent as `Authorization: Bearer …`' } },
];
