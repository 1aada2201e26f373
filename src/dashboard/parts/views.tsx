import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { api, createView, deleteView, listViews, type SavedView } from '../client.ts';
import { useAction } from '../state/action.ts';
import { useForm } from '../state/form.ts';
import { navigate, path, query } from '../state/location.ts';
import { type Resource, useResource } from '../state/resource.ts';
import { isAdmin, isMember } from '../state/session.ts';
import { common } from '../text/en.ts';
import { views as text } from '../text/views.ts';
import { Confirm, Dialog } from './dialog.tsx';
import { Filters } from './filters.tsx';
import { CheckField, Form, Submit, TextField } from './form.tsx';
import { Icon } from './icon.tsx';
import { noSelection } from './selection.tsx';

export type ViewPage = SavedView['page'];

/** Parameters that say where one is in a list or on a page, not what the list shows. */
const placeNames = ['tab', 'after', 'offset', ...Object.keys(noSelection)];

/** The filters in the page's address, sorted by name, so that equal filters are equal texts. */
function filterOf(parameters: URLSearchParams): string {
  const kept = [...parameters].filter(([name, value]) => value !== '' && !placeNames.includes(name));
  const filter = new URLSearchParams(kept);
  filter.sort();
  return filter.toString();
}

/** This page with the filters of a view, on the tab that is shown. */
function hrefOf(filter: string): string {
  const parameters = new URLSearchParams(filter);
  const tab = query.value.get('tab');
  if (tab !== null) parameters.set('tab', tab);
  return parameters.size === 0 ? path.value : `${path.value}?${parameters.toString()}`;
}

/** Filters of a list that can be kept under a name; `page` says which list it is. */
export function FiltersWithViews({ page, children }: { page: ViewPage; children: ComponentChildren }) {
  const list = useResource(`views ${page}`, async (signal) => (await listViews(api, { query: { page }, signal })).data);
  const asks = useSignal<'save' | 'delete' | undefined>(undefined);
  const action = useAction();
  const close = (): void => void (asks.value = undefined);
  const filter = filterOf(query.value);
  const chosen = list.data?.find((view) => filterOf(new URLSearchParams(view.query)) === filter);
  const remove = async (view: SavedView): Promise<void> => {
    const params = { id: view.id };
    await action.run(async () => void (await deleteView(api, { params, ifMatch: view.version })), text.deleted);
    list.reload();
  };
  return (
    <>
      <Filters>
        {children}
        <ChooseView list={list.data ?? []} chosen={chosen} />
        <div class="buttons">
          <button type="button" onClick={() => void (asks.value = 'save')}>
            <Icon name="plus" />
            {text.save}
          </button>
          {chosen && (chosen.own || isAdmin.value) && (
            <button type="button" class="bare" onClick={() => void (asks.value = 'delete')}>
              {text.delete}
            </button>
          )}
        </div>
      </Filters>
      {asks.value === 'save' && <SaveView page={page} filter={filter} list={list} close={close} />}
      {asks.value === 'delete' && chosen && (
        <Confirm
          title={text.deleteTitle(chosen.name)}
          text={chosen.shared ? text.deleteShared : undefined}
          action={common.delete}
          act={() => remove(chosen)}
          of={action}
          close={close}
        />
      )}
    </>
  );
}

type ChooseProps = { list: readonly SavedView[]; chosen: SavedView | undefined };

function ChooseView({ list, chosen }: ChooseProps) {
  const id = useId();
  const choose = (event: Event): void => {
    const { value } = event.currentTarget as HTMLSelectElement;
    void navigate(hrefOf(list.find((view) => view.id === value)?.query ?? ''));
  };
  return (
    <div class="field">
      <label for={id}>{text.views}</label>
      <select id={id} value={chosen?.id ?? ''} onChange={choose}>
        <option value="">{common.none}</option>
        {list.map((view) => (
          <option key={view.id} value={view.id} selected={view.id === chosen?.id}>
            {view.own ? view.name : text.sharedName(view.name)}
          </option>
        ))}
      </select>
    </div>
  );
}

type SaveProps = { page: ViewPage; filter: string; list: Resource<SavedView[]>; close: () => void };

function SaveView({ page, filter, list, close }: SaveProps) {
  const form = useForm({
    initial: { name: '', shared: false },
    guards: false,
    success: text.saved,
    async save({ name, shared }, { idempotencyKey }) {
      const body = { page, name: name.trim(), query: filter, ...(shared ? { shared } : {}) };
      const { data } = await createView(api, { body, idempotencyKey });
      list.set([data, ...(list.data ?? [])]);
      close();
    },
  });
  return (
    <Dialog title={text.save} close={close} bare>
      <Form form={form} failed={text.saveFailed}>
        <TextField form={form} name="name" label={text.name} hint={text.nameHint} first />
        {isMember.value && <CheckField form={form} name="shared" label={text.shared} />}
        <Submit form={form} text={common.save} cancel={close} />
      </Form>
    </Dialog>
  );
}
