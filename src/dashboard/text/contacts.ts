import { count, number } from './plural.ts';

export const contacts = {
  search: 'Search contacts',
  import: 'Import',
  export: 'Export',
  new: 'New contact',
  empty: 'Contacts are the people you call. Import a list (CSV or XLSX), or add one by hand.',
  name: 'Name',
  noName: 'No name',
  firstName: 'First name',
  lastName: 'Last name',
  phone: 'Phone',
  phoneHint: 'In international form, like +4930901820',
  email: 'E-mail',
  company: 'Company',
  zone: 'Time zone',
  zoneHint: 'Calling windows are in this zone; empty: the campaign’s',
  doNotCall: 'Do not call',
  mayBeCalled: 'May be called',
  notCalled: 'On the do-not-call list since',
  optOutReason: (reason: string) => `, reason ${reason}`,
  optOutBy: (name: string) => `, by ${name}`,
  optOut: {
    optOut: {
      action: 'Do not call again',
      title: (name: string) => `Never call ${name} again?`,
      text: 'Every campaign knows at once, also those that are calling now.',
      done: 'The contact is not called any more.',
    },
    lift: {
      action: 'Allow calls again',
      title: (name: string) => `Allow calls to ${name} again?`,
      text: 'If the number is on the do-not-call list, too, it stays there.',
      done: 'The opt-out is lifted.',
    },
  },
  details: 'Details',
  callNow: 'Call now',
  callNeeds: 'A call needs an active agent and a number to call from. Make them under “Agents” and “Numbers”.',
  agent: 'Agent',
  callFrom: 'Call from',
  call: 'Call',
  when: 'When',
  outcome: 'Outcome',
  length: 'Length',
  noCalls: 'Not called yet.',
  created: 'The contact is made.',
  added: 'Added',
  notes: 'Notes',
  note: 'New note',
  addNote: 'Add note',
  noteAdded: 'The note is added.',
  deleteNote: 'Delete note',
  noteDeleted: 'The note is deleted.',
  noNotes: 'No notes yet.',
  campaigns: 'Campaigns',
  noCampaigns: 'In no campaign.',
  campaign: 'Campaign',
  status: 'Status',
  lastAttempt: 'Last attempt',
  calls: 'Calls',
  seeCalls: 'All calls of this contact',
  delete: 'Delete contact',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: 'The contact leaves its campaigns; its past calls stay.',
  deleted: 'The contact is deleted.',
  erase: {
    action: 'Erase person',
    title: (name: string) => `Erase ${name} everywhere?`,
    text:
      'The contact, its notes and its history go, and of its calls the number, names, transcripts, summaries and recordings; also bodies of ' +
      'webhooks and rows of imports about the person. Calls stay as figures without a person. This cannot be undone, and backups still have the person.',
    neverAgain: 'Never call this number again: it stays on the do-not-call list',
    done: 'The person is being erased.',
  },
  metadata: 'Metadata',
  saveFailed: 'The contact is not saved',
};

type ImportFigures = { total: number; created: number; updated: number; rejected_count: number; added?: number };

export const imports = {
  heading: 'Import contacts',
  file: 'CSV file',
  fileHint: 'CSV or XLSX with a row of headers; the first sheet is read',
  country: 'Country of national numbers',
  countryHint: 'Two letters like DE; needed where numbers have no country code',
  duplicates: 'Known phone numbers',
  update: 'Update the contact',
  skip: 'Leave the contact as it is',
  column: (name: string) => `Column ${name}`,
  columns: 'Columns',
  leaveOut: '(leave out)',
  metadataOf: (key: string) => `Metadata: ${key}`,
  firstRows: 'First rows',
  rejected: 'Rejected rows',
  skipped: 'Skipped rows',
  unreadable: 'Cells left out because they cannot be read',
  row: 'Row',
  reason: 'Reason',
  canBeImported: (n: number, m: number) => `${number(n)} of ${number(m)} rows can be imported`,
  /** A skipped row counts among those that can be imported. */
  leftOut: (rejected: number, skipped: number) =>
    `${count(rejected, 'row is', 'rows are')} rejected, ${count(skipped, 'of the others is', 'of the others are')} skipped; the reasons are below.`,
  noPhone:
    'No column has the phone number, so nobody of these can be called. Choose “Phone” for the column that has it.',
  countryParameter: 'default_country',
  needsCountry: 'Some numbers have no country code. Say above which country they belong to, such as DE.',
  /** The server names the parameter of the request; a person sees the field. */
  reasonText: (reason: string) => reason.replace(/; default_country says.*$/, ''),
  moreRows: (n: number) => `And ${count(n, 'more row', 'more rows')}.`,
  submit: 'Import',
  asStored: 'The cells as they will be stored. What is struck through is left out.',
  /** Rows that are valid and do nothing, or do not join the campaign. The answer lists the first of them. */
  skippedOf: ({ total, created, updated, rejected_count: rejected, added }: ImportFigures): number =>
    added === undefined ? total - created - updated - rejected : total - rejected - added,
  /** The figures of the rows add up to all rows. */
  done(figures: ImportFigures): string {
    const { total, created, updated, rejected_count: rejected, added } = figures;
    const left = total - created - updated - rejected;
    const rows = [
      `${count(created, 'contact', 'contacts')} made`,
      `${number(updated)} updated`,
      `${number(rejected)} rejected`,
      ...(left > 0 ? [`${number(left)} left as they are`] : []),
    ];
    const text = `${count(total, 'row', 'rows')}: ${rows.join(', ')}.`;
    if (added === undefined) return text;
    const not = imports.skippedOf(figures);
    const out = not === 0 ? '' : `, ${number(not)} did not`;
    return `${text} ${count(added, 'contact', 'contacts')} joined the campaign${out}.`;
  },
  progress: 'Progress of the import',
  importing: 'Importing …',
  rowsRead: (read: number, total: number) => `${number(read)} of ${count(total, 'row', 'rows')} read`,
  downloadRejected: 'Download the rejected rows',
  downloadWarnings: 'Download the rows with cells left out',
  leftOutText:
    'Not everything in the file could be read. For 24 hours its rows can be downloaded with the reasons, corrected and imported again.',
  downloadRejectedText: 'Correct them, then choose that file here.',
  rejectedFile: 'rejected-rows.csv',
  reasonColumn: 'Rejected because',
  reading: 'Reading the file …',
  failed: 'The file could not be read',
  fields: {
    first_name: 'First name',
    last_name: 'Last name',
    email: 'E-mail',
    phone: 'Phone',
    company: 'Company',
    timezone: 'Time zone',
    do_not_call: 'Do not call',
    tags: 'Tags',
  } as Readonly<Record<string, string>>,
};
