/** Counts by subject, and throws `rate_limit_exceeded` above a limit. */
export interface Counter {
  count(bounds: readonly (readonly [subject: string, limit: number])[], lengthMs: number): Promise<void>;
}

const dayMs = 86_400_000;
/** Maximum numbers per day of messages that people cause: enough for real use, too few to be worth abusing. */
const limits = {
  messages: { organization: 100, address: 20 },
  links: { organization: 100, address: 10, addressOfOrganization: 3 },
};

interface To {
  readonly orgId: string;
  /** The address to bound for all organizations together. Null: only the organization is bounded. */
  readonly address: string | null;
}

/** Counts a test or a message that a person sends again. Throws `rate_limit_exceeded`. */
export function admitMessage(counter: Counter, { orgId, address }: To): Promise<void> {
  const { organization, address: perAddress } = limits.messages;
  return counter.count(
    [
      [`notices of ${orgId}`, organization],
      ...(address === null ? [] : [[`notices to ${address}`, perAddress] as const]),
    ],
    dayMs,
  );
}

/** Counts a mail that asks to confirm an address. Throws `rate_limit_exceeded`. */
export function admitLink(counter: Counter, orgId: string, address: string): Promise<void> {
  return counter.count(
    [
      [`confirmation of ${address} for ${orgId}`, limits.links.addressOfOrganization],
      [`confirmations for ${orgId}`, limits.links.organization],
      [`confirmations of ${address}`, limits.links.address],
    ],
    dayMs,
  );
}
