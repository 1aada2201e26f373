import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a checkout builds once is kept here until a source changes. A function, because the executable has no such place. */
const cacheFolder = (): string => fileURLToPath(new URL('../../node_modules/.cache/parley', import.meta.url));

/** The text kept under a name that has a hash of its sources, else what `build` makes, which is kept. */
export async function keptText(name: string, build: () => Promise<string>): Promise<string> {
  const file = join(cacheFolder(), name);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const text = await build();
    keep(file, text);
    return text;
  }
}

/** A checkout that cannot be written to works, too; it builds at each start. */
function keep(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const partial = `${file}.${process.pid}.partial`;
    writeFileSync(partial, text);
    renameSync(partial, file);
  } catch {
    // Read-only checkout.
  }
}
