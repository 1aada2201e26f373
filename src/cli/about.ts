import { describedRoutes } from '../http/interface.ts';
import { openApiDocument } from '../http/openapi.ts';
import { parleyVersion } from '../base/version.ts';
import { type Command, UsageError } from './command.ts';

export const version: Command = {
  name: 'version',
  usage: '[--json]',
  summary: 'Print the version.',
  run(args) {
    const json = args.includes('--json');
    if (args.length > (json ? 1 : 0)) throw new UsageError('version takes --json and nothing else');
    const { versions, platform, arch } = process;
    console.log(json ? JSON.stringify({ version: parleyVersion, node: versions.node, platform, arch }) : parleyVersion);
    return Promise.resolve(0);
  },
};

export const openapi: Command = {
  name: 'openapi',
  usage: '',
  summary: 'Print the OpenAPI 3.1 document of the interface.',
  run(args) {
    if (args.length > 0) throw new UsageError('openapi takes no arguments');
    console.log(JSON.stringify(openApiDocument(describedRoutes({ testClock: false }), parleyVersion), null, 2));
    return Promise.resolve(0);
  },
};
