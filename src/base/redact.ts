/** Stands for a secret that is not shown. */
export const MASK = '********';

/** A URL that may be shown: its password is masked, and in one that cannot be read everything before the host. Other texts stay as they are. */
export const withoutPassword = (text: string): string =>
  URL.canParse(text)
    ? text.replace(/^([a-z][\w+.-]*:\/\/[^/?#:@]*:)[^/?#]*@/i, `$1${MASK}@`)
    : text.replace(/:\/\/.*@/s, `://${MASK}@`);

/** Shorter texts are no credentials, and would be found by chance. */
const minLength = 4;

const withoutPadding = (base64: string): string => base64.replace(/=+$/, '');

/** The forms in which a service may repeat a text: as it is, quoted in JSON, in a URL, and in base64. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const base64 = bytes.toString('base64');
  return [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
    base64,
    withoutPadding(base64),
    bytes.toString('base64url'),
  ];
}

/**
 * Replaces credentials in what a service answered. Services repeat what they were sent, and their words reach the log and the people of
 * an organization. Redact before cutting the text off, since half a credential is not recognized.
 */
export function redact(
  text: string,
  credentials: ReadonlyArray<string | null | undefined>,
  replacement = '[redacted]',
): string {
  const forms = credentials.flatMap((one) => (one && one.length >= minLength ? formsOf(one) : []));
  // The longest first: one form may be part of another.
  return forms.toSorted((a, b) => b.length - a.length).reduce((rest, form) => rest.replaceAll(form, replacement), text);
}
