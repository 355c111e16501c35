import type { User } from '../../api/auth.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Empty } from '../../ui/empty.tsx';

/** Help for people with an account but without an organization, as after an open sign-up. */
export function NoOrganization({ user: { email } }: { user: User }) {
  return (
    <Empty title="You don’t belong to an organization yet.">
      <div className="grid justify-items-center gap-3">
        <p>
          Ask an administrator of this service, or an owner or admin of an organization, to invite this email
          address. They find <em>Invite a member</em> on the page <em>Members</em>. Then open the link of the
          invitation.
        </p>
        <p className="flex flex-wrap items-center justify-center gap-2">
          <code className="break-all text-ink">{email}</code>
          <CopyButton text={email} label="Copy address" />
        </p>
      </div>
    </Empty>
  );
}
