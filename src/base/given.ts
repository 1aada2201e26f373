type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields of an object that have a value. For types whose optional fields may be absent but not undefined. */
export const given = <T extends Readonly<Record<string, unknown>>>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
