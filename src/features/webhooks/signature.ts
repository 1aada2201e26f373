import { randomBytes } from 'node:crypto';
import { secretPrefix } from '../../base/standard-webhooks.ts';

export { signatureHeaders } from '../../base/standard-webhooks.ts';

/** Generates a signing secret: `whsec_` and 32 random bytes in base64. */
export const makeSecret = (): string => secretPrefix + randomBytes(32).toString('base64');
