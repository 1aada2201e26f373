import type { PhoneNumber } from '../../client.ts';
import { CheckField, SelectField, TextField } from '../../parts/form.tsx';
import { Status } from '../../parts/status.tsx';
import { Instant } from '../../parts/time.tsx';
import { orNull, type useForm } from '../../state/form.ts';
import { common } from '../../text/en.ts';
import { numbers } from '../../text/numbers.ts';

/** The fields of a number's account at its trunk, in the number's dialog. */
export const accountValuesOf = (number: PhoneNumber) => ({
  termination_uri: number.termination_uri ?? '',
  sip_username: number.sip_username ?? '',
  sip_password: '',
  transport: number.transport ?? '',
  register: number.register,
  sip_from: number.sip_from,
});

type AccountValues = ReturnType<typeof accountValuesOf>;

/** A password or an address that is left empty stays as it is. */
export const accountChangesOf = (values: AccountValues) => ({
  ...(values.termination_uri.trim() === '' ? {} : { termination_uri: values.termination_uri.trim() }),
  sip_username: orNull(values.sip_username),
  ...(values.sip_password === '' ? {} : { sip_password: values.sip_password }),
  transport: orNull(values.transport) as PhoneNumber['transport'],
  register: values.register,
  sip_from: values.sip_from,
});

type Props<V extends AccountValues> = { form: ReturnType<typeof useForm<V>>; number: PhoneNumber };

export function AccountFields<V extends AccountValues>({ form, number }: Props<V>) {
  return (
    <>
      <TextField form={form} name="termination_uri" label={numbers.uri} hint={numbers.uriHint} />
      <TextField form={form} name="sip_username" label={numbers.username} autocomplete="off" />
      <TextField
        form={form}
        name="sip_password"
        label={numbers.password}
        hint={numbers.passwordKept}
        type="password"
        autocomplete="new-password"
      />
      <SelectField
        form={form}
        name="transport"
        label={numbers.transport}
        options={[
          { value: '', text: common.none },
          ...['udp', 'tcp', 'tls'].map((value) => ({ value, text: value.toUpperCase() })),
        ]}
      />
      <SelectField
        form={form}
        name="sip_from"
        label={numbers.sipFrom}
        options={[
          { value: 'number', text: numbers.sipFroms.number },
          { value: 'username', text: numbers.sipFroms.username },
        ]}
      />
      <CheckField form={form} name="register" label={numbers.register} hint={numbers.registerHint} />
      <RegistrationState number={number} />
    </>
  );
}

function RegistrationState({ number: { register, registration } }: { number: PhoneNumber }) {
  if (!register) return null;
  const { state, expires_at: expiresAt, detail } = registration;
  return (
    <p>
      {numbers.registration}: <Status value={state} />
      {expiresAt !== null && (
        <>
          {' '}
          {numbers.until} <Instant at={expiresAt} />
        </>
      )}
      {detail !== null && <span class="quiet"> {detail}</span>}
    </p>
  );
}
