import { OrganizationPage } from '../../../frame/organization-page.tsx';

export default function Getstarted() {
  return <OrganizationPage title="Get started">{null}</OrganizationPage>;
}
