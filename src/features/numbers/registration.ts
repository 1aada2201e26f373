import type { App } from '../../kernel/app.ts';
import { appLocal } from '../../kernel/node.ts';
import type { PhoneNumber } from './number.ts';

export const registrationStates = ['off', 'registering', 'registered', 'refused', 'unreachable'] as const;

/** Whether calls to a number reach this server because its account is registered at the trunk. */
export type RegistrationStatus = {
  state: (typeof registrationStates)[number];
  /** Until when the registrar keeps our contact; null unless registered. */
  expiresAt: number | null;
  /** The URI by which the registrar calls us. */
  contact: string | null;
  /** Code and phrase of the registrar's last answer, or the fault. */
  detail: string | null;
};

type StatusOf = (number: PhoneNumber) => RegistrationStatus | undefined;

const registering = appLocal((): { statusOf: StatusOf } => ({ statusOf: () => undefined }));

/** Called by the carrier that registers; numbers must not import it. */
export const setRegistrationStatus = (app: App, statusOf: StatusOf): void =>
  void (registering(app).statusOf = statusOf);

export const registrationOff = (detail: string | null): RegistrationStatus => ({
  state: 'off',
  expiresAt: null,
  contact: null,
  detail,
});

export function registrationOf(app: App, number: PhoneNumber): RegistrationStatus {
  if (!number.register || number.status !== 'active') return registrationOff(null);
  return registering(app).statusOf(number) ?? registrationOff('The carrier sip is not running.');
}
