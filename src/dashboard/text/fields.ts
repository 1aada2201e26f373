/** Names of fields as people know them, for what was changed. Days of a week are in `text/en.ts`. */
const names: Readonly<Record<string, string>> = {
  agentId: 'Agent',
  agentName: 'Name',
  calendarTimezone: 'Calendar time zone',
  carrier: 'Carrier',
  company: 'Company',
  dial_format: 'Form of called numbers',
  do_not_call: 'Do not call',
  email: 'E-mail',
  emergencyFallback: 'Emergency fallback',
  emotion: 'Emotion',
  enable_auto_refresh: 'Web pages read again',
  executionStatus: 'Running or paused',
  first_name: 'First name',
  firstMessage: 'First message',
  fromPhoneNumber: 'Caller number',
  inbound_agent_id: 'Answers incoming calls',
  knowledgeBaseIds: 'Knowledge bases',
  last_name: 'Last name',
  localPresence: 'Prefer a number that looks local',
  max_concurrent: 'Calls at a time',
  max_cps: 'Calls per second',
  maxCallDurationMs: 'Longest call',
  maxCps: 'Calls per second',
  metadata: 'Metadata',
  model: 'Model',
  name: 'Name',
  phone: 'Phone',
  phoneNumberId: 'Caller number',
  phoneNumberIds: 'Caller numbers',
  prompt: 'Prompt',
  recordCalls: 'Record calls',
  recordingNotice: 'Recording notice',
  register: 'Register with the trunk',
  reminderTriggerMs: 'Reminder after',
  retryOn: 'Call again after',
  'schedule.end': 'Ends on',
  'schedule.maxConcurrent': 'Calls at a time',
  'schedule.retryAttempts': 'Retries',
  'schedule.retryGapMin': 'Minutes between retries',
  'schedule.start': 'Starts on',
  'schedule.timezone': 'Time zone',
  'schedule.windowDays': 'Days',
  'schedule.windowEnd': 'Closes at',
  'schedule.windowStart': 'Opens at',
  silenceTimeoutMs: 'Hang up after silence',
  sip_from: 'From of outgoing calls',
  sip_password: 'SIP password',
  sip_username: 'SIP user name',
  status: 'Status',
  temperature: 'Temperature',
  termination_uri: 'Termination URI',
  timezone: 'Time zone',
  transferPhone: 'Transfers go to',
  transport: 'Transport',
  voiceId: 'Voice',
  voicemailDetection: 'Voicemail detection',
  voicemailMessage: 'Voicemail message',
  webhookEvents: 'Webhook events',
  webhookUrls: 'Webhook URLs',
};

/** A field by its path in the interface; one without a name of its own as words: `contact_limits.max_per_day` is "Contact limits, max per day". */
export function fieldText(path: string): string {
  const known = names[path];
  if (known !== undefined) return known;
  const words = path
    .replaceAll('.', ', ')
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
