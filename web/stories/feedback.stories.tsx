import { Badge, type BadgeLook } from '../src/ui/badge.tsx';
import { Button } from '../src/ui/button.tsx';
import { Empty } from '../src/ui/empty.tsx';
import { Notice } from '../src/ui/notice.tsx';
import { Problem } from '../src/ui/problem.tsx';
import { SkeletonBlock, SkeletonRows } from '../src/ui/skeleton.tsx';
import { Toast } from '../src/ui/toast.tsx';

const looks: readonly BadgeLook[] = ['plain', 'success', 'warning', 'danger'];
const nothing = () => {};

export const Badges = () => (
  <div className="flex gap-4">
    {looks.map((look) => (
      <Badge key={look} look={look}>
        {look}
      </Badge>
    ))}
  </div>
);

export const Notices = () => (
  <div className="grid max-w-xl gap-3">
    {looks.map((look) => (
      <Notice key={look} look={look}>
        The key is shown only once. Copy it now and keep it where you keep passwords.
      </Notice>
    ))}
    <Problem error={new Error('The service did not respond.')} onRetry={nothing} />
  </div>
);

export const Toasts = () => (
  <>
    <Toast look="success" onClose={nothing}>
      Saved.
    </Toast>
    <Toast look="danger" onClose={nothing}>
      The service did not respond. Check your connection and try again.
    </Toast>
  </>
);

export const Nothing = () => (
  <Empty title="There are no API keys yet.">
    <Button look="primary">Create API Key</Button>
  </Empty>
);

export const Loading = () => (
  <div className="grid gap-4">
    <SkeletonRows />
    <SkeletonBlock height={8} />
  </div>
);
