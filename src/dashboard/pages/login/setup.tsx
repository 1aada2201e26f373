import { api, type Invitation, ParleyError, readInvitation, setUp } from '../../client.ts';
import { Form as FormView, Submit, TextField } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { type Form, useForm } from '../../state/form.ts';
import { navigate, query, safeNext } from '../../state/location.ts';
import { isSettled, useResource } from '../../state/resource.ts';
import { loadSession } from '../../state/session.ts';
import { setup } from '../../text/login.ts';

/** Taken out of the address bar as soon as this script runs, so that it is in no history, screenshot or shared link. */
const token = takeToken();

function takeToken(): string {
  const address = new URL(location.href);
  if (address.pathname.replace(/\/$/, '') !== '/setup') return '';
  const value = address.searchParams.get('token') ?? '';
  address.searchParams.delete('token');
  history.replaceState(null, '', `/setup${address.search}`);
  return value;
}

type Invited = Invitation & { email: string };

/** What the link is for: an invitation, a `new` organization's first person, or nothing any more (`bad`). */
async function readLink(signal: AbortSignal): Promise<Invited | 'bad' | 'new'> {
  if (token === '') return 'new';
  try {
    const { data } = await readInvitation(api, { body: { token }, signal });
    return data.email === null ? 'new' : { ...data, email: data.email };
  } catch (error) {
    if (error instanceof ParleyError && error.status === 401) return 'bad';
    throw error;
  }
}

export function SetUpPage() {
  const link = useResource('link', readLink);
  if (!isSettled(link)) return null;
  const { data = 'new' } = link;
  return typeof data === 'string' ? <SetUp isBad={data === 'bad'} /> : <Join invited={data} />;
}

type Values = { email: string; password: string; organization_name: string };

const useSetUp = (email: string): Form<Values> =>
  useForm<Values>({
    initial: { email, password: '', organization_name: '' },
    guards: false,
    success: '',
    async save({ email: typed, password, organization_name: name }) {
      await setUp(api, {
        body: { token, email: typed, password, ...(name === '' ? {} : { organization_name: name }) },
      });
      await loadSession();
      await navigate(safeNext(query.peek().get('next')), { replace: true });
    },
    problemOf: (error) => (error instanceof ParleyError && error.status === 401 ? setup.badLink : undefined),
  });

/** The first person of an organization. */
function SetUp({ isBad }: { isBad: boolean }) {
  const form = useSetUp('');
  return (
    <Page heading={setup.heading}>
      {isBad && form.problem === undefined && (
        <div class="notice bad" role="alert">
          {setup.badLink}
        </div>
      )}
      <p>{setup.text}</p>
      <FormView form={form} failed={setup.failed}>
        <TextField form={form} name="email" label={setup.email} type="email" autocomplete="username" />
        <PasswordField form={form} />
        <TextField
          form={form}
          name="organization_name"
          label={setup.organization}
          hint={setup.organizationHint}
          autocomplete="organization"
        />
        <Submit form={form} text={setup.submit} />
      </FormView>
    </Page>
  );
}

/** A colleague who was invited, or who gets a new password. */
function Join({ invited: { organization, email, role } }: { invited: Invited }) {
  const form = useSetUp(email);
  return (
    <Page heading={setup.join(organization.name)}>
      <p>{setup.roles[role]}</p>
      <FormView form={form} failed={setup.failed}>
        <TextField form={form} name="email" label={setup.email} type="email" autocomplete="username" fixed />
        <PasswordField form={form} />
        <Submit form={form} text={setup.submit} />
      </FormView>
    </Page>
  );
}

const PasswordField = ({ form }: { form: Form<Values> }) => (
  <TextField
    form={form}
    name="password"
    label={setup.password}
    hint={setup.passwordHint}
    type="password"
    autocomplete="new-password"
  />
);
