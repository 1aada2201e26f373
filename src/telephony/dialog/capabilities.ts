import { randomBytes } from 'node:crypto';
import type { Request, Response } from '../message/message.ts';
import { responseTo } from '../transaction/layer.ts';
import type { Hop } from '../transport/hop.ts';
import { allowedMethods } from './context.ts';

/** The answer to OPTIONS, in a dialog or outside (RFC 3261, section 11.2). */
export const capabilities = (request: Request, from: Hop): Response =>
  responseTo(request, {
    status: 200,
    reason: 'OK',
    headers: [
      ['Allow', allowedMethods],
      ['Accept', 'application/sdp'],
    ],
    from,
    toTag: randomBytes(8).toString('hex'),
  });
