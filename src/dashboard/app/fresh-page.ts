/** The path for which this tab was loaded anew, so that it is not loaded for ever. */
const name = 'parley loaded anew';

/**
 * Loads the page anew if its script is gone while the server answers: after an update the scripts have other names. Resolves with whether it
 * does; not twice in a row.
 */
export async function loadAnew(path: string): Promise<boolean> {
  try {
    if (sessionStorage.getItem(name) === path || !(await fetch(path, { cache: 'no-store' })).ok) return false;
    sessionStorage.setItem(name, path);
  } catch {
    return false; // the server is away, or this browser keeps nothing
  }
  location.reload();
  return true;
}

/** A page was shown: the next script that is gone is another one. */
export function shownFresh(): void {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Then nothing was kept.
  }
}
