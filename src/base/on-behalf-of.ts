import { AsyncLocalStorage } from 'node:async_hooks';

const owners = new AsyncLocalStorage<string>();

/** Runs work for an organization, so that what it waits for deep below, such as the system's resolver, can be shared fairly. */
export const onBehalfOf = <T>(owner: string, run: () => T): T => owners.run(owner, run);

/** The organization that the running code works for; empty for work of the installation. */
export const currentOwner = (): string => owners.getStore() ?? '';
