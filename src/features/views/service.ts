import { AppError, conflict, notFound } from '../../base/errors.ts';
import { transact } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { type Caller, lesserRole } from '../../kernel/route.ts';
import * as store from './store.ts';
import type { View, ViewPage } from './view.ts';

const maxOwn = 100;
/** Of the lists of views: everybody's shared ones and one's own. */
const maxListed = 500;

export const ownerOf = ({ identity, subject }: Pick<Caller, 'identity' | 'subject'>): string =>
  `${identity}:${subject}`;

export const listViews = (app: App, caller: Caller, page: ViewPage | undefined): Promise<View[]> =>
  store.viewsFor(app.db, { orgId: caller.orgId, owner: ownerOf(caller), page, limit: maxListed });

export const findView = (app: App, orgId: string, id: string): Promise<View | undefined> =>
  store.viewById(app.db, orgId, id);

/** @throws forbidden for viewers, who keep their views for themselves */
function requireMayShare({ role }: Caller): void {
  if (lesserRole(role, 'member') === 'member') return;
  throw new AppError('forbidden', 'Sharing a view needs the role member; without `shared` it is yours alone.');
}

/** @throws forbidden for a viewer who shares it; conflict when the caller has 100 views */
export function createView(
  app: App,
  caller: Caller,
  input: Pick<View, 'page' | 'name' | 'query' | 'shared'>,
): Promise<View> {
  const { orgId } = caller;
  return transact(app.db, orgId, async (tx) => {
    if (input.shared) requireMayShare(caller);
    const owner = ownerOf(caller);
    if ((await store.countOf(tx, orgId, owner)) >= maxOwn)
      throw conflict(`You have ${maxOwn} saved views, which is the most one may have; delete one first.`);
    const now = app.clock.now();
    const view: View = { ...input, id: app.ids.make(), orgId, owner, version: 1, createdAt: now, updatedAt: now };
    await store.insertView(tx, view, caller.identity === 'user' ? caller.subject : null);
    return view;
  });
}

/** @throws notFound for a view that the caller does not see; forbidden for one that they see but may not change */
async function viewToChange(app: App, caller: Caller, id: string): Promise<View> {
  const view = await store.viewById(app.db, caller.orgId, id);
  const isOwn = view?.owner === ownerOf(caller);
  if (!view || (!isOwn && !view.shared)) throw notFound('view');
  if (!isOwn && caller.role !== 'admin')
    throw new AppError('forbidden', 'Only whoever made this view, or an admin, may change it.');
  return view;
}

/** @throws as `viewToChange`; forbidden for a viewer who shares it */
export function updateView(
  app: App,
  caller: Caller,
  id: string,
  changes: Partial<Pick<View, 'name' | 'query' | 'shared'>>,
): Promise<View> {
  return transact(app.db, caller.orgId, async (tx) => {
    const before = await viewToChange(app, caller, id);
    if (changes.shared === true && !before.shared) requireMayShare(caller);
    const view = { ...before, ...changes, updatedAt: app.clock.now() };
    await store.updateView(tx, id, view);
    return view;
  });
}

/** @throws as `viewToChange` */
export function deleteView(app: App, caller: Caller, id: string): Promise<void> {
  return transact(app.db, caller.orgId, async (tx) => {
    await viewToChange(app, caller, id);
    await store.deleteView(tx, id);
  });
}
