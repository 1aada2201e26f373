/** The paths of the dashboard's pages. */
export const pagePaths = [
  '/',
  '/setup',
  '/login',
  '/account',
  '/campaigns',
  '/campaigns/new',
  '/campaigns/{id}',
  '/contacts',
  '/contacts/import',
  '/contacts/{id}',
  '/calls',
  '/calls/{id}',
  '/agents',
  '/agents/new',
  '/agents/{id}',
  '/knowledge',
  '/knowledge/{id}',
  '/numbers',
  '/calendar',
  '/deliveries',
  '/deliveries/{id}',
  '/do-not-call',
  '/people',
  '/audit',
  '/system',
  '/live',
  '/analytics',
] as const;

/** Where the pages' scripts and styles are. */
export const assetPath = '/assets/{name}';
