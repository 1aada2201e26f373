import type { Agent, PhoneNumber } from '../../client.ts';
import { CheckField, SelectField, TextField } from '../../parts/form.tsx';
import { Status } from '../../parts/status.tsx';
import { Instant } from '../../parts/time.tsx';
import { type Form, numberOf, orNull } from '../../state/form.ts';
import { system } from '../../state/session.ts';
import { common } from '../../text/en.ts';
import { numbers } from '../../text/numbers.ts';

/** What a number's trunk is told, as the forms have it. */
export const trunkValuesOf = (edited: PhoneNumber | undefined) => ({
  name: edited?.name ?? '',
  termination_uri: edited?.termination_uri ?? '',
  sip_username: edited?.sip_username ?? '',
  sip_password: '',
  transport: edited?.transport ?? '',
  carrier: edited?.carrier ?? '',
  dial_format: edited?.dial_format ?? 'e164',
  sip_from: edited?.sip_from ?? 'number',
  register: edited?.register ?? false,
  inbound_agent_id: edited?.inbound_agent_id ?? '',
});

export type TrunkValues = ReturnType<typeof trunkValuesOf>;

export const trunkBodyOf = (values: TrunkValues) => ({
  name: orNull(values.name),
  // An address that is left empty stays as it is, too.
  ...(values.termination_uri.trim() === '' ? {} : { termination_uri: values.termination_uri.trim() }),
  sip_username: orNull(values.sip_username),
  transport: orNull(values.transport) as PhoneNumber['transport'],
  carrier: orNull(values.carrier),
  dial_format: values.dial_format,
  sip_from: values.sip_from,
  register: values.register,
  inbound_agent_id: orNull(values.inbound_agent_id),
  // A password is never shown, so an empty field means that it stays.
  ...(values.sip_password === '' ? {} : { sip_password: values.sip_password }),
});

/** The limits of a number that there is already. */
export const limitValuesOf = (edited: PhoneNumber) => ({
  max_concurrent: String(edited.max_concurrent),
  max_cps: String(edited.max_cps),
});

export const limitBodyOf = (values: ReturnType<typeof limitValuesOf>) => ({
  max_concurrent: numberOf(values.max_concurrent),
  max_cps: numberOf(values.max_cps),
});

type Props<V extends TrunkValues> = { form: Form<V>; agents: readonly Agent[] };

const upper = (value: string) => ({ value, text: value.toUpperCase() });

/** Where calls go, and how the trunk wants them. */
export function TrunkFields<V extends TrunkValues>({ form, agents }: Props<V>) {
  const drivers = Object.keys(numbers.carriers).filter(
    (each) => each === system.value?.carrier.driver || each === 'sip',
  );
  return (
    <>
      <TextField form={form} name="termination_uri" label={numbers.uri} hint={numbers.uriHint} />
      <div class="fields">
        <TextField
          form={form}
          name="sip_username"
          label={numbers.username}
          hint={numbers.usernameHint}
          autocomplete="username"
        />
        <TextField
          form={form}
          name="sip_password"
          label={numbers.password}
          type="password"
          autocomplete="new-password"
          hint={numbers.passwordKept}
        />
        <SelectField
          form={form}
          name="transport"
          label={numbers.transport}
          options={[{ value: '', text: common.none }, ...['udp', 'tcp', 'tls'].map(upper)]}
        />
        <SelectField
          form={form}
          name="carrier"
          label={numbers.carrier}
          options={[
            { value: '', text: numbers.usualCarrier },
            ...drivers.map((value) => ({ value, text: numbers.carriers[value]! })),
          ]}
        />
        <SelectField
          form={form}
          name="dial_format"
          label={numbers.dialFormat}
          options={Object.entries(numbers.dialFormats).map(([value, text]) => ({ value, text }))}
        />
        <SelectField
          form={form}
          name="sip_from"
          label={numbers.sipFrom}
          options={Object.entries(numbers.sipFroms).map(([value, text]) => ({ value, text }))}
        />
        <SelectField
          form={form}
          name="inbound_agent_id"
          label={numbers.inbound}
          options={[
            { value: '', text: numbers.nobody },
            ...agents.map(({ id, agentName }) => ({ value: id, text: agentName })),
          ]}
        />
      </div>
      <CheckField form={form} name="register" label={numbers.register} hint={numbers.registerHint} />
    </>
  );
}

/** How the number's registration stands, where one is wanted. */
export function RegistrationState({ number: { register, registration } }: { number: PhoneNumber }) {
  if (!register) return null;
  const { state, expires_at: expiresAt, detail } = registration;
  return (
    <>
      <Status value={state} />
      {expiresAt !== null && (
        <span class="sub">
          {numbers.until} <Instant at={expiresAt} />
        </span>
      )}
      {detail !== null && <span class="sub">{detail}</span>}
    </>
  );
}
