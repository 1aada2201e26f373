import { api, ParleyError, setUp } from '../../client.ts';
import { Form, Submit, TextField } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { useForm } from '../../state/form.ts';
import { navigate, query, safeNext } from '../../state/location.ts';
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

export function SetUpPage() {
  const form = useForm({
    initial: { email: '', password: '', organization_name: '' },
    guards: false,
    success: '',
    async save({ email, password, organization_name: name }) {
      await setUp(api, { body: { token, email, password, ...(name === '' ? {} : { organization_name: name }) } });
      await loadSession();
      await navigate(safeNext(query.value.get('next')), { replace: true });
    },
    problemOf: (error) => (error instanceof ParleyError && error.status === 401 ? setup.badLink : undefined),
  });
  return (
    <Page heading={setup.heading}>
      <p>{setup.text}</p>
      <Form form={form} failed={setup.failed}>
        <TextField form={form} name="email" label={setup.email} type="email" autocomplete="username" />
        <TextField
          form={form}
          name="password"
          label={setup.password}
          hint={setup.passwordHint}
          type="password"
          autocomplete="new-password"
        />
        <TextField
          form={form}
          name="organization_name"
          label={setup.organization}
          hint={setup.organizationHint}
          autocomplete="organization"
        />
        <Submit form={form} text={setup.submit} />
      </Form>
    </Page>
  );
}
