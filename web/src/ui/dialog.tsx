import { type ComponentProps, lazy, Suspense } from 'react';

const Panel = lazy(() => import('./dialog-panel.tsx'));

/** Something above the page. It is open for as long as it is rendered. Its code loads when the first one opens. */
export function Dialog(props: ComponentProps<typeof Panel>) {
  return (
    <Suspense>
      <Panel {...props} />
    </Suspense>
  );
}
