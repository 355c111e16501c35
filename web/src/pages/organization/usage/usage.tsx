import { useOrganization } from '../../../lib/use-organization.ts';
import { Standing } from './standing.tsx';

export default function Usage() {
  const { quota } = useOrganization('Usage');
  return <Standing quota={quota} />;
}
