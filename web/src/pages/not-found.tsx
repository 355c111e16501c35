import { Link } from '@tanstack/react-router';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';

export function NotFound() {
  return (
    <Page title="Not found">
      <Empty title="This page does not exist, or you do not have access to it.">
        <p>
          Check the address, or go to{' '}
          <Link to="/organizations" className="text-accent underline">
            your organizations
          </Link>
          .
        </p>
      </Empty>
    </Page>
  );
}
