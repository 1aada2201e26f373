import manifest from '../../package.json' with { type: 'json' };

/** Set by .build/package.ts: the version with the commit of the build, such as `0.1.0+g8d43a1f`. */
declare const PARLEY_BUILD_VERSION: string | undefined;

/** The product's version, from package.json; a packaged executable adds its commit. */
export const parleyVersion: string =
  typeof PARLEY_BUILD_VERSION === 'undefined' ? manifest.version : PARLEY_BUILD_VERSION;

/** Whether a version is older than another one. Only major, minor and patch count. */
export function isOlderVersion(version: string, than: string): boolean {
  const [left, right] = [version, than].map((one) => one.split(/[.+-]/).slice(0, 3).map(Number));
  const index = left!.findIndex((part, at) => part !== right![at]);
  return index !== -1 && left![index]! < right![index]!;
}
