import metadata from 'libphonenumber-js/min/metadata';

/** Calling codes in use, of countries and non-geographic (ITU-T E.164, from libphonenumber's metadata): one to three digits. */
const callingCodes: ReadonlySet<string> = new Set([
  ...Object.keys(metadata.country_calling_codes),
  ...Object.keys(metadata.nonGeographic),
]);

/** Whether a text is the code of a country (ISO 3166-1 alpha-2, in capitals) whose telephone numbers are known. */
export const isCountry = (value: string): boolean => Object.hasOwn(metadata.countries, value);

/** Whether a text is strict E.164: `+`, a calling code that is in use, at most 15 digits in all. */
export function isE164(value: string): boolean {
  if (!/^\+[1-9]\d{6,14}$/.test(value)) return false;
  return [1, 2, 3].some((length) => callingCodes.has(value.slice(1, 1 + length)));
}
