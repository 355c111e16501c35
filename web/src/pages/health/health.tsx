import { Page } from '../../ui/page.tsx';

export default function Health() {
  return <Page title="Health">{null}</Page>;
}
