import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** Embeds a text as a template literal, so that a changed line of the source is a changed line in the module's diff. */
export const literal = (text: string): string => `\`${text.replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`)}\``;

/** Reads a text file with the repository's line ends: a checkout on Windows may have CRLF. */
export const readText = (path: string): string => readFileSync(path, 'utf8').replaceAll('\r\n', '\n');

/** The module's text as oxfmt formats it, so that the module's diff shows only what changed. */
export function formatted(text: string, path: string): string {
  const oxfmt = join(root, 'node_modules/oxfmt/bin/oxfmt');
  const { status, stdout, stderr } = spawnSync(process.execPath, [oxfmt, `--stdin-filepath=${path}`], {
    input: text,
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`oxfmt: ${stderr}`);
  return stdout;
}

/** Writes the module, or with `check` only compares it and sets exit code 1 when it is out of date. */
export function writeModule(path: string, text: string, { source, check }: { source: string; check: boolean }): void {
  if (existsSync(path) && readText(path) === text) {
    console.log(`${path} is up to date`);
  } else if (check) {
    console.error(`${path} does not match ${source}: run \`npm run generate\` and commit the result`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, text);
    console.log(`wrote ${path}`);
  }
}
