/** A name as the end of a path or an anchor. */
export const slugOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z\d]+/g, '-');
