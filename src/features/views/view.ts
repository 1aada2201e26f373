/** A list with its filters that somebody wants to see again (docs/api/live.md, "Saved views"). */

export const viewPages = ['calls', 'campaign-contacts', 'contacts', 'deliveries', 'analytics', 'audit'] as const;
export type ViewPage = (typeof viewPages)[number];

export type View = {
  id: string;
  orgId: string;
  /** Whose view it is: kind and id of a person or key. */
  owner: string;
  page: ViewPage;
  name: string;
  /** What stands after the question mark in the address of the page. */
  query: string;
  /** Whether everybody in the organization sees it. */
  shared: boolean;
  version: number;
  createdAt: number;
  updatedAt: number;
};
