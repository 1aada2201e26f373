import { migrateStore } from '../../main/migrate-store.ts';
import { configOf } from '../administer.ts';
import { readArguments } from '../settings.ts';

export async function migrate(args: readonly string[]): Promise<number> {
  const { flags } = readArguments(args, [], { check: { type: 'boolean' } });
  const toDo = await migrateStore(configOf(flags), {
    check: flags['check'] === true,
    tell: (message) => console.error(message),
  });
  if (toDo === null) console.log('The schema is up to date.');
  else console.error(`There is something to do: ${toDo}.`);
  return toDo === null ? 0 : 1;
}
