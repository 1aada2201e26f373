import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Embeds a text as a template literal, so that a changed line of the source is a changed line in the module's diff. */
export const literal = (text: string): string => `\`${text.replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`)}\``;

/** Reads a text file with the repository's line ends: a checkout on Windows may have CRLF. */
export const readText = (path: string): string => readFileSync(path, 'utf8').replaceAll('\r\n', '\n');

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
