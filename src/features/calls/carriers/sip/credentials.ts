import { messageOf } from '../../../../base/errors.ts';
import type { App } from '../../../../kernel/app.ts';
import type { Credentials } from '../../../../telephony/message/digest.ts';
import { encryptionContext, type PhoneNumber } from '../../../numbers/number.ts';
import { findNumber } from '../../../numbers/service.ts';
import { findCall } from '../../service.ts';

/**
 * The user name and password with which a number answers the challenges of its trunk. Null if it has none, or if the password cannot be
 * decrypted, which is logged.
 */
export function credentialsOf(app: App, number: PhoneNumber): Credentials | null {
  const { sipUsername: username, encryptedSipPassword: encrypted } = number;
  if (username === null || encrypted === null) return null;
  try {
    return { username, password: app.secrets.decrypt(encrypted, encryptionContext(number.id)) };
  } catch (error) {
    app.log.warn({ numberId: number.id, error: messageOf(error) }, 'the SIP password of a number cannot be decrypted');
    return null;
  }
}

/** For ending a call that a previous process left. Never rejects: the call is then ended without credentials. */
export async function credentialsOfCall(app: App, callId: string): Promise<Credentials | null> {
  try {
    const call = await findCall(app.db, callId);
    const number = call && (await findNumber(app.db, call.orgId, call.phoneNumberId));
    return number ? credentialsOf(app, number) : null;
  } catch (error) {
    app.log.warn({ callId, error: messageOf(error) }, 'the SIP password of an earlier call could not be read');
    return null;
  }
}
