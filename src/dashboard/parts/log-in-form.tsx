import { ParleyError } from '../client.ts';
import { useForm } from '../state/form.ts';
import { logIn } from '../state/session.ts';
import { login } from '../text/login.ts';
import { Form, Submit, TextField } from './form.tsx';

/** Logs in; on its own page, and over a page whose session has ended. */
export function LogInForm({ email = '', done }: { email?: string; done?: () => void }) {
  const form = useForm({
    initial: { email, password: '' },
    guards: false,
    success: '',
    async save(values) {
      await logIn(values);
      done?.();
    },
    problemOf: (error) => (error instanceof ParleyError && error.status === 401 ? error.message : undefined),
  });
  return (
    <Form form={form} failed={login.failed}>
      <TextField form={form} name="email" label={login.email} type="email" autocomplete="username" />
      <TextField
        form={form}
        name="password"
        label={login.password}
        type="password"
        autocomplete="current-password"
        first={email !== ''}
      />
      <Submit form={form} text={login.submit} />
    </Form>
  );
}
