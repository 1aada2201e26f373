import { api, importContacts } from '../../client.ts';
import { CsvImport } from '../../parts/csv-import.tsx';
import { Page } from '../../parts/page.tsx';
import { navigate } from '../../state/location.ts';
import { imports } from '../../text/contacts.ts';

export function ImportPage() {
  return (
    <Page heading={imports.heading}>
      <CsvImport
        send={async (query, body, options) => (await importContacts(api, { query, body, ...options })).data}
        done={() => void navigate('/contacts')}
      />
    </Page>
  );
}
