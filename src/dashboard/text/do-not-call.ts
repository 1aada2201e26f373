import { count, number } from './plural.ts';

export const doNotCall = {
  heading: 'Do not call',
  text: 'Numbers on this list are not called, whatever campaign has them. A campaign that runs skips them from now on.',
  phone: 'Phone',
  phoneHint: 'In international form, such as +493012345678; several separated by commas or lines',
  reason: 'Reason',
  reasonHint: 'For your records; may stay empty',
  fromFile: 'A file of numbers',
  file: 'Numbers from a file',
  fileHint: 'CSV, XLSX or text; with headers, the columns named like a phone are read',
  fileReason: 'Reason for these numbers',
  addFile: 'Add the numbers of the file',
  rejected: 'Rejected rows',
  fileAdded: (added: number, already: number) =>
    `${count(added, 'number is', 'numbers are')} added; ${count(already, 'was', 'were')} on the list before.`,
  rejectedRows: (n: number) =>
    `${count(n, 'row has', 'rows have')} no number that can be read, so nothing of them is added.`,
  row: 'Row',
  why: 'Why',
  entry: (position: number, given: string) => `Number ${number(position)}, “${given}”`,
  search: 'Search by phone',
  add: 'Add',
  added: (added: number, given: number) =>
    given === added
      ? `${count(added, 'number is', 'numbers are')} on the list now.`
      : `${count(added, 'number is', 'numbers are')} added; ${count(given - added, 'was', 'were')} on the list before.`,
  on: 'On the list since',
  actions: 'Actions',
  remove: 'Remove',
  removeTitle: (phone: string) => `Remove ${phone} from the list?`,
  removeText: 'Campaigns may call this number again.',
  removed: (phone: string) => `${phone} is off the list.`,
  empty: 'No number is blocked. Add the numbers of people who asked not to be called.',
};
