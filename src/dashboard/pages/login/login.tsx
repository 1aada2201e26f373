import { useEffect } from 'preact/hooks';
import { LogInForm } from '../../parts/log-in-form.tsx';
import { Page } from '../../parts/page.tsx';
import { navigate, query, safeNext } from '../../state/location.ts';
import { session } from '../../state/session.ts';
import { login } from '../../text/login.ts';

export function LogInPage() {
  const goOn = (): void => void navigate(safeNext(query.value.get('next')), { replace: true });
  const isLoggedIn = Boolean(session.value);
  useEffect(() => {
    if (isLoggedIn) goOn();
  }, [isLoggedIn]);
  return (
    <Page heading={login.heading}>
      <LogInForm />
      <p class="hint">{login.forgotten}</p>
      <p class="hint">{login.first}</p>
    </Page>
  );
}
