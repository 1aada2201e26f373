import { posix } from 'node:path';
import { ExtractionError } from '../errors.ts';
import type { ZipReader } from './zip.ts';
import { attributeOf, readXml } from './xml.ts';

/**
 * A link between two parts of an office file (ECMA-376, part 2). Part names may vary; only relationships are reliable.
 */
export type Relationship = { id: string; type: string; target: string };

/**
 * Limit for a part that only describes the file, such as its styles, unpacked: real ones have kilobytes. Their entries are kept in
 * memory, and 25 MiB of ZIP can hold 50 million of them.
 */
export const maxDescriptionBytes = 8_388_608;

/** Reads the relationships of a part, or of the package itself for `''`. Skips targets outside the file. */
export function readRelationships(zip: ZipReader, part: string): Relationship[] {
  const { dir, base } = posix.parse(part);
  const relationships: Relationship[] = [];
  const bytes = zip.read(posix.join(dir, '_rels', `${base}.rels`), maxDescriptionBytes);
  if (!bytes) return relationships;
  readXml(bytes, {
    open(name, attributes) {
      const [id, type, target] = ['Id', 'Type', 'Target'].map((key) => attributeOf(attributes, key));
      if (name !== 'Relationship' || id === undefined || type === undefined || target === undefined) return;
      if (attributeOf(attributes, 'TargetMode') === 'External') return;
      const path = target.startsWith('/') ? target.slice(1) : posix.join(dir, target);
      relationships.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: path });
    },
  });
  return relationships;
}

/** Name of the part that holds the document itself. */
export function mainPartName(zip: ZipReader): string {
  const main = readRelationships(zip, '').find(({ type }) => type === 'officeDocument');
  if (main) return main.target;
  throw new ExtractionError('The file is damaged: it does not name its main part. Save it again.');
}

/** @throws ExtractionError when the file has no such part */
export function readPart(zip: ZipReader, name: string, maxBytes?: number): Buffer {
  const part = zip.read(name, maxBytes);
  if (part) return part;
  throw new ExtractionError(`The file is damaged: its part ${name} is missing. Save it again.`);
}

/** Reads the title from the file's properties. */
export function readTitle(zip: ZipReader): string | null {
  const core = readRelationships(zip, '').find(({ type }) => type === 'core-properties');
  const bytes = core && zip.read(core.target, maxDescriptionBytes);
  if (!bytes) return null;
  let title = '';
  let inTitle = false;
  readXml(bytes, {
    open: (name) => void (inTitle = name === 'title'),
    text: (text) => void (title += inTitle ? text : ''),
    close: () => void (inTitle = false),
  });
  return title.trim() === '' ? null : title.trim();
}
