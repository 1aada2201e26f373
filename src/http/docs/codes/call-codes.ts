import type { Vocabulary } from './vocabulary.ts';

/** The meanings of the codes in fields of calls, and of campaigns and their contacts. */
export const callCodes: readonly Vocabulary[] = [
  {
    name: 'State of a call',
    fields: ['state'],
    meanings: {
      queued: 'A single call waits until the calls per second allow it',
      dialing: 'The attempt is recorded; the carrier has the call, or is about to get it',
      ringing: 'The telephone rings',
      in_progress: 'Somebody, or a mailbox, has answered',
      ended: 'The call is over; `status` says how it ended',
      live: 'In a filter: all calls that have not ended',
    },
  },
  {
    name: 'Outcome of a call',
    fields: ['status', 'outcome', 'last_outcome', 'retryOn'],
    meanings: {
      completed: 'A person answered. Never retried',
      failed:
        'The call could not be made or broke off; `error_message` says why. Retried by rule, unless the number is invalid',
      no_answer: 'Nobody answered in time, or the call was hung up before the answer. Retried by rule',
      busy: 'The line was busy. Retried by rule',
      voicemail: 'A mailbox answered. Retried by rule',
    },
  },
  {
    name: 'Status of a campaign contact',
    fields: ['status', 'statuses'],
    meanings: {
      pending: 'Waits for its first call or for a retry; `why` says for what',
      in_progress: 'Is on the phone',
      completed: 'Its last call was answered by a person',
      failed: 'Its last call failed, and there are no more retries',
      no_answer: 'Its last call was not answered, and there are no more retries',
      busy: 'Its last call met a busy line, and there are no more retries',
      voicemail: 'Its last call reached a mailbox, and there are no more retries',
      cancelled: 'Was removed, opted out, or lost its phone number before it was reached',
      expired: 'The campaign ended before it was reached',
    },
  },
  {
    name: 'End of a call',
    fields: ['disconnect_reason'],
    meanings: {
      customer_hangup: 'The other side hung up',
      agent_hangup: 'The agent, or somebody through the API, hung up',
      error: 'The call failed',
    },
  },
  {
    name: 'Direction of a call',
    fields: ['direction'],
    meanings: { outbound: 'parley called', inbound: 'Somebody called a number of the organization' },
  },
  {
    name: 'Channel of a call',
    fields: ['channel'],
    meanings: {
      voice: 'Made by the carrier `simulated` or `http`',
      web: 'A test call from a browser',
      sip: 'Made or taken by the carrier `sip`',
    },
  },
  {
    name: 'Engine of a conversation',
    fields: ['engine'],
    meanings: {
      simulated: 'Answers without a model, the same each time',
      completion: 'The text model of `speech.llm`',
      realtime: 'A speech service that hears and speaks',
      cascade: 'Recognition, a text model and a voice, one after the other',
      echo: 'Repeats what it hears; for trying a line',
    },
  },
  { name: 'Speaker', fields: ['role'], meanings: { agent: 'The agent', user: 'The other side' } },
  {
    name: 'Format of what was said',
    fields: ['format'],
    meanings: { text: 'Words', dtmf: 'Keys that were pressed' },
  },
  {
    name: 'Sound of a SIP call',
    fields: ['codec'],
    meanings: { PCMU: 'G.711 µ-law', PCMA: 'G.711 A-law' },
  },
  {
    name: 'Mood',
    fields: ['sentiment'],
    meanings: { positive: 'The other side was pleased', neutral: 'Neither', negative: 'The other side was displeased' },
  },
  {
    name: 'Event in the timeline of a call',
    fields: ['type'],
    meanings: {
      invite: 'The call was offered to the trunk, or came from it',
      ringing: 'The telephone rings',
      answered: 'Somebody, or a mailbox, answered',
      verdict: 'What answered, a person or a machine, and how that was recognized',
      greeting: 'The agent began to speak',
      interrupted: 'The other side spoke over the agent; the milliseconds of the sentence that had been heard',
      dtmf: 'Keys, received or sent',
      tool: 'The agent used a tool: its name, duration and, if it failed, why',
      transfer: 'The call was transferred, or that failed',
      speech_lost: 'The speech service was lost',
      speech_back: 'The speech service is back',
      recording: 'Something about the recording, such as that it could not be written',
      hangup: 'The call ended',
    },
  },
  {
    name: 'Report of a voice runtime',
    fields: ['type'],
    meanings: {
      ringing: 'The telephone rings',
      answered: 'Somebody answered',
      transcript: 'What was said since the report before',
      ended: 'The call is over; `status` says how it ended',
    },
  },
  {
    name: 'What an analysis counts by',
    fields: ['by'],
    meanings: {
      agent: 'A row for each agent',
      campaign: 'A row for each campaign; single calls are `none`',
      edition: 'A row for each edition of an agent',
      number: 'A row for each number of the organization',
      hour: 'A row for each hour of the day',
      weekday: 'A row for each day of the week',
      direction: 'A row for calls in each direction',
      none: 'One row, `all`',
    },
  },
  {
    name: 'Step of an analysis',
    fields: ['step'],
    meanings: { hour: 'An hour', day: 'A day in `timezone`', week: 'A week from Monday, in `timezone`' },
  },
  {
    name: 'Calls that a stop hangs up',
    fields: ['hang_up'],
    meanings: { none: 'None', ringing: 'Those that have not been answered', all: 'All outgoing calls' },
  },
];
