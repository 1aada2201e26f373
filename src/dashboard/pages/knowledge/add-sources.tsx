import { useSignal } from '@preact/signals';
import { addKnowledgeSources, api, type NewKnowledgeSources } from '../../client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, Submit, TextField } from '../../parts/form.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { type Form as FormState, useForm } from '../../state/form.ts';
import { knowledge } from '../../text/knowledge.ts';
import { FilesField } from './files-field.tsx';

type Tab = keyof typeof knowledge.tabs;
/** Named by their paths in the request, so that the server's faults find them. */
type Fields = {
  'knowledge_base_texts[0].title': string;
  'knowledge_base_texts[0].text': string;
  knowledge_base_urls: string;
};

const empty: Fields = {
  'knowledge_base_texts[0].title': '',
  'knowledge_base_texts[0].text': '',
  knowledge_base_urls: '',
};

const tabs = (Object.keys(knowledge.tabs) as Tab[]).map((id) => ({ id, name: knowledge.tabs[id] }));

/** The requests that add what the chosen tab has: texts and pages in one, each file in one of its own. */
function bodiesOf(tab: Tab, fields: Fields, files: readonly File[]): Array<NewKnowledgeSources | FormData> {
  const { 'knowledge_base_texts[0].title': title, 'knowledge_base_texts[0].text': text } = fields;
  if (tab === 'text') return [{ knowledge_base_texts: [{ title, text }] }];
  if (tab === 'pages')
    return [{ knowledge_base_urls: fields.knowledge_base_urls.split(/\s+/).filter((url) => url !== '') }];
  if (files.length === 0) throw new Error(knowledge.noFiles);
  return files.map((file) => {
    const body = new FormData();
    body.append('file', file);
    return body;
  });
}

export function AddSources({ id, close, added }: { id: string; close: () => void; added: () => void }) {
  const tab = useSignal<Tab>('text');
  const files = useSignal<readonly File[]>([]);
  const form = useForm<Fields>({
    initial: empty,
    success: knowledge.added,
    async save(values, { idempotencyKey }) {
      for (const [index, body] of bodiesOf(tab.value, values, files.value).entries()) {
        const key = `${idempotencyKey} ${index}`;
        await addKnowledgeSources(api, { params: { kb_id: id }, body, idempotencyKey: key });
      }
      added();
      close();
    },
  });
  return (
    <Dialog title={knowledge.add} close={close} bare>
      <Form form={form}>
        <Tabs label={knowledge.add} tabs={tabs} chosen={tab.value} choose={(next) => void (tab.value = next)}>
          <TabFields tab={tab.value} form={form} files={files.value} choose={(next) => void (files.value = next)} />
        </Tabs>
        <Submit form={form} text={knowledge.addOne} cancel={close} />
      </Form>
    </Dialog>
  );
}

type FieldsProps = { tab: Tab; form: FormState<Fields>; files: readonly File[]; choose(files: readonly File[]): void };

function TabFields({ tab, form, files, choose }: FieldsProps) {
  if (tab === 'files') return <FilesField files={files} choose={choose} />;
  if (tab === 'pages') {
    return (
      <TextField form={form} name="knowledge_base_urls" label={knowledge.urls} hint={knowledge.urlsHint} lines={4} />
    );
  }
  return (
    <>
      <TextField form={form} name="knowledge_base_texts[0].title" label={knowledge.title} />
      <TextField form={form} name="knowledge_base_texts[0].text" label={knowledge.text} lines={8} />
    </>
  );
}
