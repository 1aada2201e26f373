import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/min';
import { isE164 } from './phone.ts';

/** Reads a number as people write it, also with `00`; one without a country is read as one of `country`. */
export function parseWrittenPhone(text: string, country: string | null): PhoneNumber | undefined {
  const international = text.replace(/^00(?=[1-9])/, '+');
  const written = international === text ? [text] : [international, text];
  for (const candidate of written) {
    const number = parsePhoneNumberFromString(candidate, {
      ...(country === null ? {} : { defaultCountry: country as CountryCode }),
      extract: false,
    });
    if (number?.isPossible() && isE164(number.number)) return number;
  }
  return undefined;
}

/** The country of an E.164 number, such as DE; null for one of none, such as +800. */
export const countryOf = (phone: string): string | null => parsePhoneNumberFromString(phone)?.country ?? null;

/** The countries of each calling code, without the plus: DE alone of 49, twenty of 1. */
export const countriesByCallingCode: ReadonlyMap<string, readonly string[]> = Map.groupBy(getCountries(), (country) =>
  getCountryCallingCode(country),
);

/**
 * The E.164 form of digits as telephone systems of a country write a number: 030901820 or 004930901820 in Germany. Undefined for what may be
 * something else: without the country's leading 0 it may be an extension, or a number of the same town.
 */
export function nationalPhone(digits: string, country: string): string | undefined {
  const number = parseWrittenPhone(digits, country);
  if (!number?.isValid()) return undefined;
  const national = number.formatNational();
  const international = number.number.slice(1);
  // Digits that no format of the country groups, such as 9018200 in Germany, are not a whole number.
  const isWhole = national !== digits && national.replaceAll(/\D/g, '') === digits;
  const isNational = isWhole || (number.countryCallingCode === '1' && digits === international);
  const hasPrefix = digits.startsWith('0') && digits.endsWith(international);
  return isNational || hasPrefix ? number.number : undefined;
}
