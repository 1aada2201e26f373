import { foldText } from '../../base/fold-text.ts';

/** Who is to be erased. */
export type Person = {
  contactId: string;
  phone: string | null;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
};

/** Files write one number in many ways, with or without country code and separators; the last digits are the same in all of them. */
const comparedDigits = 8;
/** A shorter name stands in too many words to be looked for. */
const minName = 2;

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/** Whether the cells of a row mention a person: the phone, the e-mail address, or the whole name. */
export function mentionsIn({ phone, email, firstName, lastName }: Person): (cells: readonly string[]) => boolean {
  const digits = phone === null ? '' : digitsOf(phone).slice(-comparedDigits);
  const address = email === null ? '' : foldText(email);
  const names = [firstName, lastName]
    .flatMap((name) => (name === null ? [] : foldText(name)))
    .filter((name) => name.length >= minName);
  return (cells) => {
    if (digits !== '' && cells.some((cell) => digitsOf(cell).includes(digits))) return true;
    const text = foldText(cells.join(' '));
    if (address !== '' && text.includes(address)) return true;
    return names.length > 0 && names.every((name) => text.includes(name));
  };
}

const uuids = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;

/** Whether a stored answer is about a person, or about one of these things of theirs (notes, calls). */
export function isAboutIn({ contactId, phone, email }: Person, ids: ReadonlySet<string>): (body: string) => boolean {
  const texts = [phone, email].filter((text) => text !== null);
  return (body) =>
    texts.some((text) => body.includes(text)) ||
    (body.match(uuids) ?? []).some((id) => id === contactId || ids.has(id));
}
