import { type Fault, invalid, notFound } from '../../base/errors.ts';
import { aliasFaults, type AliasQuery, aliasValue } from '../../kernel/aliases.ts';
import { id, optional } from '../../kernel/schema.ts';

/** The query names of the organization's id, the preferred one first. */
const names = ['org_id', 'organization_id', 'orgId', 'organizationId'] as const;

export type OrgQuery = AliasQuery<(typeof names)[number]>;

const alias = () => optional(id('organization; an alias of org_id'));

/** Query parameters for the organization's id. */
export const orgParameters = {
  org_id: optional(id('organization; required, under this name or an alias')),
  organization_id: alias(),
  orgId: alias(),
  organizationId: alias(),
};

/**
 * Checks that a query names the caller's own organization. `others` are faults of the request that were found already.
 * @throws invalid, with all faults, when the query names no organization or two different ones, or when there are `others`; otherwise
 *   notFound when it names an organization other than the caller's
 */
export function requireOwnOrg(callerOrgId: string, query: OrgQuery, others: readonly Fault[] = []): void {
  const faults = [...aliasFaults(names, query), ...others];
  if (faults.length > 0) throw invalid(faults);
  requireOwn(callerOrgId, aliasValue(names, query)!);
}

/**
 * Like `requireOwnOrg`, for a query that may omit the id.
 * @throws like `requireOwnOrg`, but not for a missing id
 */
export function allowOwnOrg(callerOrgId: string, query: OrgQuery, others: readonly Fault[] = []): void {
  if (aliasValue(names, query) !== undefined) requireOwnOrg(callerOrgId, query, others);
  else if (others.length > 0) throw invalid(others);
}

/** @throws notFound for any id but the caller's own, whether that organization exists or not */
export function requireOwn(callerOrgId: string, orgId: string): void {
  if (orgId !== callerOrgId) throw notFound('organization');
}
