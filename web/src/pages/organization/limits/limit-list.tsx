import { useQuery } from '@tanstack/react-query';
import { type LimitScope, limitsQuery } from '../../../api/limits.ts';
import { Empty } from '../../../ui/empty.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import type { LimitIntent } from './limit-action.tsx';
import { LimitTable } from './limit-table.tsx';

interface Props {
  scope: LimitScope;
  /** Who can change the limits. */
  changers: string;
  mayChange: boolean;
  onAct: (intent: LimitIntent) => void;
}

/** The limits of an organization or of a key. */
export function LimitList({ scope, changers, mayChange, onAct }: Props) {
  const query = useQuery(limitsQuery(scope));
  return (
    <Loaded query={query} placeholder={<SkeletonRows rows={2} />}>
      {(limits) =>
        limits.length === 0 ? (
          <Empty title="No extra limits. The monthly quota applies.">
            {mayChange ? 'A limit can count requests, texts or tokens.' : `${changers} can add one.`}
          </Empty>
        ) : (
          <LimitTable
            limits={limits}
            onChange={mayChange ? (limit) => onAct({ does: 'change', limit }) : undefined}
            onRemove={mayChange ? (limit) => onAct({ does: 'remove', limit }) : undefined}
          />
        )
      }
    </Loaded>
  );
}
