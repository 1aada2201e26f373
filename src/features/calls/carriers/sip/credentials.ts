import { messageOf } from '../../../../base/errors.ts';
import type { App } from '../../../../kernel/app.ts';
import { encryptionContext, type PhoneNumber } from '../../../numbers/number.ts';
import type { DialRequest } from './dialog/reports.ts';

/** By what a number answers the challenges of its trunk; null if it has no password. */
export function credentialsOf(app: App, number: PhoneNumber): DialRequest['credentials'] {
  const { sipUsername: username, encryptedSipPassword: encrypted } = number;
  if (username === null || encrypted === null) return null;
  try {
    return { username, password: app.secrets.decrypt(encrypted, encryptionContext(number.id)) };
  } catch (error) {
    app.log.warn({ numberId: number.id, error: messageOf(error) }, 'the SIP password of a number cannot be decrypted');
    return null;
  }
}
