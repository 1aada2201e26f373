/** A telephone number as the interface takes it, where a person has typed blanks and punctuation between the digits. */
export const plainPhone = (text: string): string => {
  const typed = text.trim();
  // "(0)" is not dialed from abroad: which digits are meant is for the person to say.
  return /^\+[\d\s()./-]+$/.test(typed) && !typed.includes('(0)') ? typed.replaceAll(/[^+\d]/g, '') : typed;
};

type Read = { columns: ReadonlyArray<{ name: string; to: string | null }>; sample: readonly string[][] };

/** Seven digits or more, with what people write between them. */
const looksLikePhone = /^\s*(?:\+|00?)[\s()./-]*\d(?:[\s()./-]*\d){6,14}\s*$/;

/** The column whose cells look like telephone numbers, where the headers named none; undefined if it is not clear. */
export function phoneColumnOf({ columns, sample }: Read): string | undefined {
  if (columns.some(({ to }) => to === 'phone')) return undefined;
  const candidates = columns.filter((_, at) => {
    const cells = sample.map((row) => row[at] ?? '').filter((cell) => cell.trim() !== '');
    return cells.length > 0 && cells.filter((cell) => looksLikePhone.test(cell)).length > cells.length / 2;
  });
  return candidates.length === 1 ? candidates[0]!.name : undefined;
}
