import { OrganizationPage } from '../../../frame/organization-page.tsx';

export default function KeyPage() {
  return <OrganizationPage title="API key">{null}</OrganizationPage>;
}
