/** The dashboard as .build/dashboard.ts makes it: everything that the server sends for it. */
export type DashboardBuild = {
  /** By file name under /assets/; the contents compressed, in base64. */
  assets: Record<string, { type: string; br: string; gzip: string }>;
  /** HTML by group, the first segment of a page's path; '' is for groups that have no entry of their own. */
  pages: Record<string, string>;
  /** The page for a path that does not exist. */
  notFound: string;
};
