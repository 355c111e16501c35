import type { Limit, LimitScope } from '../../../api/limits.ts';
import { AddLimit } from './add-limit.tsx';
import { ChangeLimit } from './change-limit.tsx';
import { RemoveLimit } from './remove-limit.tsx';

/** The chosen action, and its limit. */
export type LimitIntent =
  | { readonly does: 'add' }
  | { readonly does: 'change' | 'remove'; readonly limit: Limit };

interface Props {
  scope: LimitScope;
  /** What the limits belong to, within a sentence: `this key`. */
  scopeName: string;
  intent: LimitIntent;
  onClose: () => void;
}

/** The dialog of the chosen action. */
export function LimitAction({ scope, scopeName, intent, onClose }: Props) {
  if (intent.does === 'add') return <AddLimit scope={scope} scopeName={scopeName} onClose={onClose} />;
  const Action = intent.does === 'change' ? ChangeLimit : RemoveLimit;
  return <Action orgId={scope.orgId} limit={intent.limit} onClose={onClose} />;
}
