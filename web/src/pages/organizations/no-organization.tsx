import type { User } from '../../api/auth.ts';
import { Empty } from '../../ui/empty.tsx';
import { Contact } from '../contact.tsx';

/** For people with an account but without an organization, as after an open sign-up. */
export function NoOrganization({ user: { email } }: { user: User }) {
  return (
    <Empty title="You don’t belong to an organization yet.">
      <p>
        An owner or admin of your organization can invite you, with your address {email}. For a new
        organization, write to <Contact />.
      </p>
    </Empty>
  );
}
