import { OrganizationPage } from '../../../frame/organization-page.tsx';

export default function Plan() {
  return <OrganizationPage title="Plan">{null}</OrganizationPage>;
}
