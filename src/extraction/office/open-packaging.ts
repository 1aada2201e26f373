import { posix } from 'node:path';
import { ExtractionError } from '../errors.ts';
import type { Unzip } from './zip.ts';
import { attribute, readXml } from './xml.ts';

/** How the parts of an office file hang together (ECMA-376, part 2): by relationships, whatever the parts are called. */
export type Relation = { id: string; type: string; target: string };

/** The relationships of a part, or of the file itself for `''`; parts outside of the file are left out. */
export function relationsOf(zip: Unzip, part: string): Relation[] {
  const { dir, base } = posix.parse(part);
  const relations: Relation[] = [];
  const bytes = zip.read(posix.join(dir, '_rels', `${base}.rels`));
  if (!bytes) return relations;
  readXml(bytes, {
    open(name, attributes) {
      const [id, type, target] = ['Id', 'Type', 'Target'].map((key) => attribute(attributes, key));
      if (name !== 'Relationship' || id === undefined || type === undefined || target === undefined) return;
      if (attribute(attributes, 'TargetMode') === 'External') return;
      const path = target.startsWith('/') ? target.slice(1) : posix.join(dir, target);
      relations.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: path });
    },
  });
  return relations;
}

/** Where the document itself is. */
export function mainPartOf(zip: Unzip): string {
  const main = relationsOf(zip, '').find(({ type }) => type === 'officeDocument');
  if (main) return main.target;
  throw new ExtractionError('The file is damaged: it does not say which of its parts is the document. Save it again.');
}

/** @throws ExtractionError when the file has no such part */
export function partOf(zip: Unzip, name: string): Buffer {
  const part = zip.read(name);
  if (part) return part;
  throw new ExtractionError(`The file is damaged: its part ${name} is missing. Save it again.`);
}

/** The title in the file's properties. */
export function titleIn(zip: Unzip): string | null {
  const core = relationsOf(zip, '').find(({ type }) => type === 'core-properties');
  const bytes = core && zip.read(core.target);
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
