/** Each person needs a different number, and 5 area codes times 40 endings make 200. */
export const maxPeople = 200;

/** Beside a past whose busiest hours have as many calls, so that the campaign does not dwarf them in a chart of the day. */
export const usualPeople = 40;

export type Person = { first_name: string; last_name: string; email: string; phone: string; company: string };

const firstNames = ['Alma', 'Bruno', 'Carla', 'David', 'Elif', 'Felix', 'Grace', 'Hugo', 'Ines', 'Jonas'];
const lastNames = ['Adler', 'Brandt', 'Costa', 'Diaz', 'Evans', 'Fischer', 'Garcia', 'Haas', 'Ito', 'Jensen'];
const companies = ['Northwind', 'Contoso', 'Fabrikam', 'Tailspin', 'Litware', 'Proseware'];
const areaCodes = ['202', '212', '303', '415', '617'];

/**
 * The last two digits decide the outcome of a simulated call (docs/api/calls.md, "Simulated carrier"): 00 to 09 each have a fixed outcome,
 * the others a random one. 08 is left out, because the end of its call is never reported: it fails only a minute after its maximum
 * duration.
 */
const lastTwoDigits = Array.from({ length: 41 }, (_, index) => index).filter((digits) => digits !== 8);

/** Invented people. Their numbers (555-0100 to 555-0199 of each area) are reserved for fiction, so they belong to nobody. */
export function people(count: number): Person[] {
  return Array.from({ length: count }, (_, index) => {
    const first = pick(firstNames, index);
    const last = pick(lastNames, Math.floor(index / firstNames.length) + index);
    const area = pick(areaCodes, index);
    // Steps of 7 keep the fixed outcomes from coming in a row, and use all 40 endings, since 7 and 40 have no common divisor.
    const digits = pick(lastTwoDigits, 7 * Math.floor(index / areaCodes.length));
    return {
      first_name: first,
      last_name: last,
      email: `${first}.${last}.${index + 1}@example.com`.toLowerCase(),
      phone: `+1${area}55501${String(digits).padStart(2, '0')}`,
      company: pick(companies, index),
    };
  });
}

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!;
