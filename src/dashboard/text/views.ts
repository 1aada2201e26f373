/** Lists with their filters under a name. */
export const views = {
  views: 'Saved views',
  save: 'Save this view',
  saved: 'View saved.',
  saveFailed: 'The view could not be saved',
  delete: 'Delete this view',
  deleted: 'View deleted.',
  deleteTitle: (name: string) => `Delete the view “${name}”?`,
  deleteShared: 'Everybody in the organization loses it. What it lists stays.',
  name: 'Name',
  nameHint: 'The filters are kept, not what they find.',
  shared: 'Everybody in the organization sees it',
  sharedName: (name: string) => `${name} (shared)`,
};
