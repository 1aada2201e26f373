import type { ComponentType } from 'preact';

/** The parameters of a page's path, such as `id`. */
export type Params = Readonly<Record<string, string>>;

export type View = ComponentType<{ params: Params }>;

/** A group's pages by the pattern of their paths, such as `/agents/:id`. */
export type Pages = Readonly<Record<string, View>>;
