/** Which organizations have a trunk at an address. */
export type AddressOwners = {
  add(address: string, orgId: string): void;
  remove(address: string, orgId: string): void;
  /**
   * The id of the one organization whose trunk has the address; the address itself if several organizations have it, because none of them
   * alone answers for its calls, or if none has it.
   */
  ownerOf(address: string): string;
  has(address: string): boolean;
  addresses(): string[];
};

export function createAddressOwners(): AddressOwners {
  /** How many trunks of each organization have the address. */
  const trunks = new Map<string, Map<string, number>>();

  function change(address: string, orgId: string, by: 1 | -1): void {
    const byOrg = trunks.get(address) ?? new Map<string, number>();
    const count = (byOrg.get(orgId) ?? 0) + by;
    if (count > 0) byOrg.set(orgId, count);
    else byOrg.delete(orgId);
    if (byOrg.size > 0) trunks.set(address, byOrg);
    else trunks.delete(address);
  }

  return {
    add: (address, orgId) => change(address, orgId, 1),
    remove: (address, orgId) => change(address, orgId, -1),
    ownerOf(address) {
      const [orgId, ...others] = trunks.get(address)?.keys() ?? [];
      return orgId === undefined || others.length > 0 ? address : orgId;
    },
    has: (address) => trunks.has(address),
    addresses: () => [...trunks.keys()],
  };
}
