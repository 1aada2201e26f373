import { common } from '../text/en.ts';
import { Page } from './page.tsx';

/** In place of a page that needs a higher role. It has not the page's name, since nothing of it is there. */
export function NotForRole({ least = 'admin' }: { least?: 'member' | 'admin' }) {
  return (
    <Page heading={common.onlyFor[least]}>
      <p>{least === 'admin' ? common.adminsOnly : common.membersOnly}</p>
      <p>
        <a href="/">{common.toOverview}</a>
      </p>
    </Page>
  );
}
