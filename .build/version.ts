import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import manifest from '../package.json' with { type: 'json' };

const root = resolve(import.meta.dirname, '..');

/**
 * The version of a build, by `git describe`: `0.1.0` at the tag v0.1.0, else `0.1.0+g8d43a1f` with the commit, and `.dirty` where files differ
 * from it. Without a repository, that of package.json.
 */
export function buildVersion(): string {
  const described = describe();
  if (described === undefined) return manifest.version;
  return versionOf(manifest.version, described);
}

/** @param described what `git describe --tags --always --dirty --match v*` prints */
export function versionOf(version: string, described: string): string {
  if (described === `v${version}`) return version;
  const [, commit = described.replace(/-dirty$/, '')] = /-g([0-9a-f]+)(?:-dirty)?$/.exec(described) ?? [];
  const isTag = commit.startsWith('v');
  const parts = [...(isTag ? [] : [`g${commit}`]), ...(described.endsWith('-dirty') ? ['dirty'] : [])];
  return parts.length === 0 ? version : `${version}+${parts.join('.')}`;
}

function describe(): string | undefined {
  try {
    const args = ['describe', '--tags', '--always', '--dirty', '--match', 'v*'];
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined; // no git, or no repository
  }
}
