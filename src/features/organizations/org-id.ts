import { type Fault, invalid, notFound } from '../../base/errors.ts';
import { aliasFaults, type AliasQuery, aliasValue } from '../../kernel/aliases.ts';
import { id, optional } from '../../kernel/schema.ts';

/** The names that the organization's id may have in a query (contract, section 2), the preferred one first. */
const names = ['org_id', 'organization_id', 'orgId', 'organizationId'] as const;

export type OrgQuery = AliasQuery<(typeof names)[number]>;

const alias = () => optional(id('organization; the same as org_id'));

/** Query parameters for the organization's id. */
export const orgParameters = {
  org_id: optional(id('organization, required under one of its names')),
  organization_id: alias(),
  orgId: alias(),
  organizationId: alias(),
};

/**
 * Sees to it that a query names the caller's own organization.
 * @throws invalid with `others` too when it names none or two, notFound when it is another one
 */
export function requireOwnOrg(callerOrgId: string, query: OrgQuery, others: readonly Fault[] = []): void {
  const faults = [...aliasFaults(names, query), ...others];
  if (faults.length > 0) throw invalid(faults);
  requireOwn(callerOrgId, aliasValue(names, query)!);
}

/** The same for a query that may leave it out. @throws as requireOwnOrg */
export function allowOwnOrg(callerOrgId: string, query: OrgQuery, others: readonly Fault[] = []): void {
  if (aliasValue(names, query) !== undefined) requireOwnOrg(callerOrgId, query, others);
  else if (others.length > 0) throw invalid(others);
}

/** @throws notFound, the same for another's organization and for none */
export function requireOwn(callerOrgId: string, orgId: string): void {
  if (orgId !== callerOrgId) throw notFound('organization');
}
