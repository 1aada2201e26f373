import { describedRoutes } from '../http/routes.ts';
import { openApiDocument } from '../http/openapi/document.ts';
import { parleyVersion } from '../base/version.ts';
import { licenses } from '../main/licenses.ts';
import type { Command } from './command.ts';
import { readFlags } from './settings.ts';

export const version: Command = {
  name: 'version',
  usage: '[--json]',
  summary: 'Print the version.',
  run(args) {
    const flags = readFlags(args, { json: { type: 'boolean' } });
    const { versions, platform, arch } = process;
    console.log(
      flags['json'] === true
        ? JSON.stringify({ version: parleyVersion, node: versions.node, platform, arch })
        : parleyVersion,
    );
    return Promise.resolve(0);
  },
};

export const license: Command = {
  name: 'licenses',
  usage: '',
  summary: 'Print the licence of parley and those of the software in it.',
  run(args) {
    readFlags(args);
    console.log(licenses());
    return Promise.resolve(0);
  },
};

export const openapi: Command = {
  name: 'openapi',
  usage: '',
  summary: 'Print the OpenAPI 3.1 document of the HTTP API.',
  run(args) {
    readFlags(args);
    console.log(JSON.stringify(openApiDocument(describedRoutes({ testClock: false }), parleyVersion), null, 2));
    return Promise.resolve(0);
  },
};
