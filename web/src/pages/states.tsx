import type { ErrorComponentProps } from '@tanstack/react-router';
import { Problem } from '../ui/problem.tsx';
import { SkeletonBlock } from '../ui/skeleton.tsx';

export function Crash({ error, reset }: ErrorComponentProps) {
  return (
    <div className="mx-auto max-w-xl p-6">
      <h1 className="sr-only">This page failed</h1>
      <Problem error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />
    </div>
  );
}

export function Waiting() {
  return (
    <div className="mx-auto max-w-5xl p-6">
      <p role="status" className="sr-only">
        Loading…
      </p>
      <SkeletonBlock height={20} />
    </div>
  );
}
