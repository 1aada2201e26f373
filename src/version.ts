import { version } from '../package.json' with { type: 'json' };

export const parleyVersion: string = version;
