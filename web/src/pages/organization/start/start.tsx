import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { userQuery } from '../../../api/auth.ts';
import { modelsQuery } from '../../../api/embeddings.ts';
import { allKeysOf, createKey, keysQuery } from '../../../api/keys.ts';
import { requestsQuery } from '../../../api/requests.ts';
import { useSave } from '../../../api/use-save.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { isNew } from '../../../lib/quota.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { LeaveQuestion, OnlyOnce, Secret } from '../../../ui/secret.tsx';
import { SkeletonBlock } from '../../../ui/skeleton.tsx';
import { Example } from '../keys/example.tsx';
import { FirstRequest } from '../keys/first-request.tsx';

/** The first page of a person in an organization, until their first request. */
export default function Start() {
  return (
    <OrganizationPage title="Get started">
      <GetStarted />
    </OrganizationPage>
  );
}

/**
 * The steps to a first request. Each turns green by itself. In an organization that others use, they are about the keys
 * and the requests of the person who is signed in.
 */
export function GetStarted() {
  const organization = useOrganization();
  const { org_id: orgId, may } = organization;
  // Until someone leaves the page, so that the first request of all counts as theirs.
  const [isOfAll] = useState(isNew(organization));
  const { data: user } = useQuery(userQuery);
  const own = isOfAll ? {} : { user_id: user?.user_id };
  const keys = useInfiniteQuery(keysQuery(orgId, { status: 'active', ...own }));
  const served = useQuery(modelsQuery);
  const create = useSave(({ name }: { name: string }) => createKey(orgId, { name }), [allKeysOf(orgId)]);
  const created = create.data;
  const known = keys.data?.rows ?? [];
  const keyId = isOfAll ? undefined : ((created ?? known[0])?.key_id ?? user?.user_id);
  const log = useInfiniteQuery(requestsQuery(orgId, { outcome: 'counted', key_id: keyId }, 1));
  // The organization counts lines of batches too, which the log doesn't have.
  const hasRequest = isOfAll
    ? !isNew(organization) || (log.data?.pages[0]?.data.length ?? 0) > 0
    : organization.has_own_requests;
  const hasKey = created !== undefined || known.length > 0;
  const step = hasRequest ? 3 : hasKey ? 2 : 1;
  const model = served.data?.[0]?.id;
  const mayCreate = may.includes('keys.create');
  // The steps that it has taken would move those below.
  if (keys.isLoading || served.isLoading || log.isLoading) return <SkeletonBlock height={40} />;

  return (
    <section aria-labelledby="first-request" className="grid max-w-3xl grid-cols-1 gap-6">
      <header className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 id="first-request" className="font-semibold text-xl">
          {hasRequest ? 'Your first request has arrived' : 'Send your first request'}
        </h2>
        <p className="text-muted">Step {step} of 3</p>
      </header>
      <ol className="grid grid-cols-1">
        <Step number={1} title={isOfAll ? 'Create a key' : 'Your key'} isDone={hasKey} isCurrent={!hasKey}>
          {created ? (
            <>
              <OnlyOnce what="key" />
              <Secret text={created.key} copy="Copy key" />
              <LeaveQuestion
                what="key"
                mayLeave={({ current, next }) => current.pathname === next.pathname}
              />
            </>
          ) : (
            <>
              {known[0] && (
                <p className="wrap-anywhere">
                  {known[0].name} <code className="font-mono text-muted text-xs">{known[0].hint}</code>
                  {known[0].name === 'first key' && (
                    <span className="text-muted">
                      {' '}
                      Use the key that your terminal printed, or create another.
                    </span>
                  )}
                </p>
              )}
              {mayCreate ? (
                <Form
                  names={['name']}
                  action="Create API Key"
                  look={hasKey ? 'secondary' : 'primary'}
                  change={create}
                  className="max-w-md"
                >
                  <TextField
                    label="Name"
                    name="name"
                    defaultValue="my first app"
                    maxLength={200}
                    required
                    autoComplete="off"
                  />
                </Form>
              ) : (
                <p className="text-muted">Ask an owner, admin or member to create one.</p>
              )}
            </>
          )}
        </Step>
        <Step
          number={2}
          title={isOfAll ? 'Send a request' : 'Your first request'}
          isDone={hasRequest}
          isCurrent={hasKey && !hasRequest}
        >
          <Example secret={created?.key ?? 'YOUR_KEY'} model={model} />
          {!created && (
            <p className="text-muted">Replace YOUR_KEY with your key. The response is 401 until you do.</p>
          )}
          {(hasKey || hasRequest) && <FirstRequest keyId={keyId} hasArrived={hasRequest} />}
        </Step>
        <Step number={3} title="Go further" isDone={false} isCurrent={hasRequest}>
          <ul className="flex flex-wrap gap-x-4 gap-y-1">
            {further.map(([path, text]) => (
              <li key={path}>
                <Link
                  to={`/organizations/$orgId/${path}`}
                  params={{ orgId }}
                  {...(path === 'usage' && { hash: 'history' })}
                  className="inline-block py-1 text-accent underline"
                >
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </Step>
      </ol>
    </section>
  );
}

const further = [
  ['usage', 'See your usage'],
  ['alerts', 'Set an alert'],
  ['members', 'Invite a colleague'],
  ['playground', 'Try the playground'],
] as const;

interface StepProps {
  number: number;
  title: string;
  isDone: boolean;
  isCurrent: boolean;
  children: ReactNode;
}

function Step({ number, title, isDone, isCurrent, children }: StepProps) {
  const look = isDone
    ? 'bg-success text-page'
    : isCurrent
      ? 'bg-accent text-on-accent'
      : 'bg-raised text-muted';
  return (
    <li className="group grid grid-cols-[1.75rem_1fr] gap-x-3">
      <div className="grid grid-rows-[auto_1fr] justify-items-center">
        <span
          className={`is-data grid size-7 place-items-center rounded-full font-semibold text-xs tabular-nums transition-colors ${look}`}
        >
          {isDone ? <Check aria-label="Done" className="size-4" /> : number}
        </span>
        <span aria-hidden className="w-px bg-line group-last:hidden" />
      </div>
      <div className="grid min-w-0 grid-cols-1 gap-3 pb-8">
        <h3 className="font-semibold text-lg leading-7">{title}</h3>
        {children}
      </div>
    </li>
  );
}
