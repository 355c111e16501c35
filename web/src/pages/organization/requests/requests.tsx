import { OrganizationPage } from '../../../frame/organization-page.tsx';

export default function Requests() {
  return <OrganizationPage title="Requests">{null}</OrganizationPage>;
}
