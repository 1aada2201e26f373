import { list, nullable, object, Type } from '../../kernel/schema.ts';

const value = (description: string) => Type.Unsafe<unknown>({ description });

/** The wire shape of what changed in a thing, in the audit log and in the answer to a request that is based on an old version. */
export const nullableChanges = (description: string) =>
  nullable(
    list(
      object(
        {
          field: Type.String({ description: 'Path in the answer, such as schedule.windowEnd' }),
          before: value('Value over 4 KiB: `{length, sha256}`; secret: `{secret: true}`'),
          after: value('As `before`'),
        },
        { title: 'Change' },
      ),
      { description },
    ),
  );
