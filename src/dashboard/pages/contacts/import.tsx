import { api, importContacts } from '../../client.ts';
import { CsvImport } from '../../parts/few/csv-import.tsx';
import { NotForRole } from '../../parts/not-for-role.tsx';
import { Page } from '../../parts/page.tsx';
import { navigate } from '../../state/location.ts';
import { isMember } from '../../state/session.ts';
import { imports } from '../../text/contacts.ts';

export function ImportPage() {
  return isMember.value ? <ImportForm /> : <NotForRole least="member" />;
}

function ImportForm() {
  return (
    <Page heading={imports.heading}>
      <CsvImport
        send={async (query, body, options) => (await importContacts(api, { query, body, ...options })).data}
        done={() => void navigate('/contacts')}
      />
    </Page>
  );
}
