import { Page } from '../../parts/page.tsx';
import type { Pages } from '../../state/pages.ts';
import { isAdmin } from '../../state/session.ts';
import { people } from '../../text/people.ts';
import { NotForRole } from '../../parts/not-for-role.tsx';
import { KeySection } from './keys.tsx';
import { PeopleSection } from './people.tsx';

function PeoplePage() {
  if (!isAdmin.value) return <NotForRole />;
  return (
    <Page heading={people.heading}>
      <PeopleSection>
        <KeySection />
      </PeopleSection>
    </Page>
  );
}

export const pages: Pages = { '/people': PeoplePage };
