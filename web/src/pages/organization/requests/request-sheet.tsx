import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { modelsQuery } from '../../../api/embeddings.ts';
import { keyQuery } from '../../../api/keys.ts';
import { limitsQuery } from '../../../api/limits.ts';
import type { LoggedRequest } from '../../../api/requests.ts';
import { base } from '../../../lib/base.ts';
import { formatCount, formatInstant, formatLatency } from '../../../lib/format.ts';
import { formatReset } from '../../../lib/quota.ts';
import { serviceTime } from '../../../lib/service-time.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { usePersonName } from '../../../lib/use-person-name.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { CopyButton, CopyValue } from '../../../ui/copy.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { snippets } from '../keys/snippets.ts';
import { describeLimit } from '../limits/limit-text.ts';
import { OutcomeMark } from './outcome.tsx';
import { remedyOf } from './remedies.ts';

interface Props {
  request: LoggedRequest;
  /** The name of its key, or of the person who sent it. */
  name: string;
  onClose: () => void;
}

/** Everything that the log has about a request. */
export function RequestSheet({ request, name, onClose }: Props) {
  const { org_id: orgId } = useOrganization();
  const { at, key_id, model, texts, tokens, latency_ms, queue_ms, request_id, error } = request;
  const remedy = remedyOf(request);
  const { data: models = [] } = useQuery(modelsQuery);
  const curl = snippets({ secret: 'YOUR_KEY', model: model ?? models[0]?.id }).curl;
  return (
    <Dialog look="side" title="Request" onClose={onClose}>
      {remedy && (
        <Notice look={request.outcome === 'failed' ? 'danger' : 'warning'}>
          {remedy}{' '}
          <a href={`${base}/docs#${error}`} className="text-accent underline">
            What {error} means
          </a>
        </Notice>
      )}
      <Facts
        facts={{
          Outcome: <OutcomeMark request={request} />,
          Time: formatInstant(at),
          'Request ID': <CopyValue value={request_id} name="request ID" />,
          [key_id === null ? 'Person' : 'Key']:
            key_id === null ? (
              name
            ) : (
              <Link
                to="/organizations/$orgId/keys/$keyId"
                params={{ orgId, keyId: key_id }}
                className="text-accent underline"
              >
                {name}
              </Link>
            ),
          Model: model,
          Texts: formatCount(texts),
          Tokens: formatCount(tokens),
          Latency: formatLatency(latency_ms),
          'Of that, in the queue': formatLatency(queue_ms),
          Limit: error === 'rate_limit_exceeded' && <LimitOf request={request} />,
        }}
      />
      <section aria-labelledby="again" className="grid gap-2">
        <div className="flex items-center justify-between">
          <h3 id="again" className="font-semibold">
            Send one like it
          </h3>
          <CopyButton text={curl} label="Copy as curl" />
        </div>
        <CodeBlock label="The request as curl" text={curl} wrapped />
        <p className="text-muted">The log has no texts, so the input is a placeholder.</p>
      </section>
    </Dialog>
  );
}

/** The limit that refused a request, or else the quota. A limit that this person may not see is shown by its id. */
function LimitOf({ request: { limit_id, key_id, user_id } }: Pick<Props, 'request'>) {
  const { org_id: orgId, quota } = useOrganization();
  const ofKey = useQuery({
    ...limitsQuery({ orgId, ...(key_id && { of: { key_id } }) }),
    enabled: limit_id !== null,
  });
  const ofAll = useQuery({ ...limitsQuery({ orgId }), enabled: limit_id !== null });
  const ofOne = limit_id !== null && key_id !== null;
  const { data: apiKey } = useQuery({ ...keyQuery(orgId, key_id ?? ''), enabled: ofOne });
  const userId = user_id ?? apiKey?.user_id ?? '';
  const nameOf = usePersonName([userId || null]);
  const ofMember = useQuery({
    ...limitsQuery({ orgId, of: { user_id: userId } }),
    enabled: limit_id !== null && userId !== '',
  });
  if (limit_id !== null) {
    const ofPerson = ofMember.data?.find((one) => one.limit_id === limit_id);
    if (ofPerson) return `${describeLimit(ofPerson)}, of ${nameOf(userId) ?? 'a member'}`;
    const limit = [...(ofKey.data ?? []), ...(ofAll.data ?? [])].find((one) => one.limit_id === limit_id);
    return limit ? describeLimit(limit) : <CopyValue value={limit_id} name="limit ID" />;
  }
  return (
    <>
      Quota of the {quota.window}, resets {formatReset(quota, serviceTime())}.{' '}
      <Link to="/organizations/$orgId/plan" params={{ orgId }} className="text-accent underline">
        See the plan
      </Link>
    </>
  );
}
