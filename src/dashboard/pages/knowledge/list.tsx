import { useSignal } from '@preact/signals';
import { api, createKnowledgeBase, listKnowledgeBases } from '../../client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, Submit, TextField } from '../../parts/form.tsx';
import { Loaded, Page } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { useForm } from '../../state/form.ts';
import { navigate } from '../../state/location.ts';
import { useResource } from '../../state/resource.ts';
import { isMember, session } from '../../state/session.ts';
import { knowledge } from '../../text/knowledge.ts';
import { number } from '../../text/plural.ts';

export function KnowledgePage() {
  const orgId = session.value!.organization.id;
  const bases = useResource(
    'bases',
    async (signal) => (await listKnowledgeBases(api, { query: { org_id: orgId }, signal })).data,
  );
  const making = useSignal(false);
  return (
    <Page
      heading={knowledge.heading}
      actions={
        isMember.value && (
          <button type="button" class="primary" onClick={() => void (making.value = true)}>
            {knowledge.new}
          </button>
        )
      }
    >
      {making.value && <NewBase close={() => void (making.value = false)} />}
      <Loaded of={bases}>
        {(rows) => (
          <Table
            caption={knowledge.heading}
            rows={rows}
            rowKey={({ id }) => id}
            empty={knowledge.empty}
            columns={[
              { name: knowledge.name, cell: ({ id, name }) => <a href={`/knowledge/${id}`}>{name}</a> },
              { name: knowledge.documents, cell: ({ document_count: n }) => number(n), numeric: true },
              { name: knowledge.madeAt, cell: ({ created_at: at }) => <Instant at={at} />, instants: true },
            ]}
          />
        )}
      </Loaded>
    </Page>
  );
}

function NewBase({ close }: { close: () => void }) {
  const form = useForm({
    initial: { name: '' },
    success: knowledge.created,
    async save(body, { idempotencyKey }) {
      const { data } = await createKnowledgeBase(api, { body, idempotencyKey });
      await navigate(`/knowledge/${data.knowledge_base_id}`);
    },
  });
  return (
    <Dialog title={knowledge.new} close={close} bare>
      <Form form={form}>
        <TextField form={form} name="name" label={knowledge.name} />
        <Submit form={form} text={knowledge.create} cancel={close} />
      </Form>
    </Dialog>
  );
}
