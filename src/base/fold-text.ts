/** Folds case and equivalent Unicode spellings for search, because SQLite's LIKE ignores case in ASCII letters only. */
export const foldText = (text: string): string => text.normalize('NFKC').toLowerCase();
