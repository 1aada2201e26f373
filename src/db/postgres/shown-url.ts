/** The URL of a database as it may be shown. */
export { withoutPassword as shownUrl } from '../../base/redact.ts';
