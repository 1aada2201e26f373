import { common } from '../text/en.ts';
import { Page } from './page.tsx';

type Props = { heading: string; least?: 'member' | 'admin' };

/** In place of a page that needs a higher role. */
export function NotForRole({ heading, least = 'admin' }: Props) {
  return (
    <Page heading={heading}>
      <p>{least === 'admin' ? common.adminsOnly : common.membersOnly}</p>
    </Page>
  );
}
