import { count, number } from './plural.ts';

export const doNotCall = {
  heading: 'Do not call',
  text: 'Numbers on this list are not called, whatever campaign has them. A campaign that runs skips them from now on.',
  phone: 'Phone',
  phoneHint: 'In international form, such as +493012345678; several separated by commas or lines',
  reason: 'Reason',
  reasonHint: 'For your records; may stay empty',
  file: 'Numbers from a file',
  fileHint: 'A text or CSV file; every number in international form in it is put into the field above',
  fileEmpty: 'This file has no number in international form, such as +493012345678.',
  rejected: 'Rejected lines',
  rejectedLines: (n: number) =>
    `${count(n, 'line of the file has', 'lines of the file have')} no number in international form, so nothing of them is added.`,
  line: 'Line',
  lineText: 'Text',
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
