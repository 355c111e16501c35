import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isFinal } from '../api/problem.ts';
import { Problem } from '../ui/problem.tsx';
import { SkeletonPage } from '../ui/skeleton.tsx';
import { LoginFrame } from './login/login-frame.tsx';

const retryMs = 5_000;

/** A page that could not be loaded. It tries again by itself, unless that can't help. */
export function Crash({ error }: ErrorComponentProps) {
  const router = useRouter();
  const mayHelp = !isFinal(error);
  useEffect(() => {
    if (!mayHelp) return;
    const timer = setInterval(() => void router.invalidate(), retryMs);
    return () => clearInterval(timer);
  }, [mayHelp, router]);
  return (
    <LoginFrame title="This page could not be loaded">
      <Problem
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={() => void router.invalidate()}
      />
      {mayHelp && <p className="text-muted">It tries again every few seconds.</p>}
    </LoginFrame>
  );
}

export function Waiting() {
  return (
    <>
      <p role="status" className="sr-only">
        Loading…
      </p>
      <SkeletonPage />
    </>
  );
}
