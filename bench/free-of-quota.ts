import { embedgateJson } from '../test/helpers/embedgate.ts';
import type { RunningService } from '../test/helpers/service.ts';

/** Makes the first organization unlimited with the command line. */
export async function freeOfQuota({ orgId, environment }: RunningService): Promise<void> {
  await embedgateJson(['orgs', 'set-tier', '--org-id', orgId, '--tier', 'enterprise'], environment);
}
