import { OrganizationPage } from '../../../frame/organization-page.tsx';

export default function Models() {
  return <OrganizationPage title="Models">{null}</OrganizationPage>;
}
