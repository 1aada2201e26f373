import { useSignal } from '@preact/signals';
import {
  api,
  deleteKnowledgeBase,
  getKnowledgeBase,
  type KnowledgeBaseWithSources,
  updateKnowledgeBase,
} from '../../client.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { CheckField, Form, Submit, TextField } from '../../parts/form.tsx';
import { useAction } from '../../state/action.ts';
import { editedThing, useForm } from '../../state/form.ts';
import { changedFields } from '../../state/merge-edits.ts';
import { navigate } from '../../state/location.ts';
import { common } from '../../text/en.ts';
import { knowledge } from '../../text/knowledge.ts';

const valuesOf = (base: KnowledgeBaseWithSources) => ({
  name: base.knowledge_base_name,
  enable_auto_refresh: base.enable_auto_refresh,
});

/** Name and refreshing of a knowledge base, and its deletion. */
export function BaseSettings({ base, changed }: { base: KnowledgeBaseWithSources; changed: () => void }) {
  const params = { kb_id: base.knowledge_base_id };
  const form = useForm({
    initial: valuesOf(base),
    edited: editedThing(base, async () => (await getKnowledgeBase(api, { params })).data, valuesOf),
    async save(values, { saved, basedOn }) {
      const body = changedFields(saved, values);
      const { data } = await updateKnowledgeBase(api, { params, body, ...basedOn });
      changed();
      return data;
    },
  });
  const asking = useSignal(false);
  const action = useAction();
  const remove = async (): Promise<void> => {
    const done = await action.run(
      async () => void (await deleteKnowledgeBase(api, { params, ifMatch: base.version })),
      knowledge.deleted,
    );
    if (done) await navigate('/knowledge');
  };
  return (
    <section class="apart">
      <h2>{knowledge.settings}</h2>
      <Form form={form}>
        <TextField form={form} name="name" label={knowledge.name} />
        <CheckField form={form} name="enable_auto_refresh" label={knowledge.refreshing} />
        <Submit form={form} text={common.save} />
      </Form>
      <p>
        <button type="button" class="danger" onClick={() => void (asking.value = true)}>
          {knowledge.delete}
        </button>
      </p>
      {asking.value && (
        <Confirm
          title={knowledge.deleteTitle(base.knowledge_base_name)}
          text={knowledge.deleteText(base.source_count)}
          action={knowledge.delete}
          act={remove}
          of={action}
          close={() => void (asking.value = false)}
        />
      )}
    </section>
  );
}
