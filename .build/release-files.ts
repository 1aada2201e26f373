import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

type Sbom = { serialNumber?: string; metadata: { timestamp?: string; component: { name: string; version: string } } };

/** Writes what the program consists of, as npm tells it in CycloneDX, without the instant and the random number of this run. */
export function writeSbom(file: string, version: string): void {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev'];
  const text = execFileSync('npm', args, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' });
  const sbom = JSON.parse(text) as Sbom;
  delete sbom.serialNumber;
  delete sbom.metadata.timestamp;
  Object.assign(sbom.metadata.component, { name: 'parley', version });
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
}

/** Writes SHA256SUMS for all files of a directory; `sha256sum --check` reads it. */
export function writeChecksums(directory: string): void {
  const names = readdirSync(directory).filter((name) => name !== 'SHA256SUMS');
  const lines = names.toSorted().map((name) => {
    const digest = createHash('sha256')
      .update(readFileSync(join(directory, name)))
      .digest('hex');
    return `${digest}  ${name}\n`;
  });
  writeFileSync(join(directory, 'SHA256SUMS'), lines.join(''));
}
