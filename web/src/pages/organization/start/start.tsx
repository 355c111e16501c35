import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { GetStarted } from './get-started.tsx';

/** The first page of an organization, until its first request. */
export default function Start() {
  return (
    <OrganizationPage title="Get started">
      <GetStarted />
    </OrganizationPage>
  );
}
