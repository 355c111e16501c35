import { Link } from '@tanstack/react-router';
import { usePageTitle } from '../lib/page-title.ts';
import { Empty } from '../ui/empty.tsx';

export function NotFound() {
  usePageTitle('Not found');
  return (
    <div className="mx-auto max-w-xl p-6">
      <h1 className="sr-only">Not found</h1>
      <Empty title="This page does not exist, or you do not have access to it.">
        Check the address, or go to{' '}
        <Link to="/organizations" className="text-accent underline">
          your organizations
        </Link>
        .
      </Empty>
    </div>
  );
}
