import { common } from '../text/en.ts';
import { Page } from './page.tsx';

/** In place of a page that only admins may open. */
export function NotForRole({ heading }: { heading: string }) {
  return (
    <Page heading={heading}>
      <p>{common.adminsOnly}</p>
    </Page>
  );
}
