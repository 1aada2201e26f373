import manifest from '../../package.json' with { type: 'json' };

/** Set by .build/package.ts: the version with the commit of the build, such as `0.1.0+g8d43a1f`. */
declare const PARLEY_BUILD_VERSION: string | undefined;

/** The product's version, from package.json; a packaged executable adds its commit. */
export const parleyVersion: string =
  typeof PARLEY_BUILD_VERSION === 'undefined' ? manifest.version : PARLEY_BUILD_VERSION;
