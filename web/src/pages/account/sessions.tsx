import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { queryClient } from '../../api/query-client.ts';
import { endOtherSessions, endSession, type Session, sessionsQuery } from '../../api/sessions.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { actions, type Row, RowName, Table } from '../../ui/table.tsx';

/** The sessions of the user. */
export function Sessions() {
  const query = useInfiniteQuery(sessionsQuery);
  const refresh = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  const end = useMutation({ mutationFn: endSession, onSettled: refresh });
  const endOthers = useMutation({ mutationFn: endOtherSessions, onSettled: refresh });
  const hasOthers = query.data?.some(({ is_current }) => !is_current) ?? false;
  const rowOf = (session: Session): Row => {
    const { session_id, device, user_agent, address, created_at, renewed_at, is_current } = session;
    const browser = device ?? user_agent ?? 'Unknown browser';
    return {
      key: session_id,
      cells: [
        <RowName key="browser" name={browser} more={address ?? 'Unknown address'} />,
        formatMoment(created_at),
        formatAgo(renewed_at),
        is_current ? (
          <Badge key="current" look="success">
            This device
          </Badge>
        ) : (
          <Button
            key="end"
            aria-label={`End the session of ${browser}`}
            pending={end.isPending && end.variables === session_id}
            onClick={() => end.mutate(session_id)}
          >
            End
          </Button>
        ),
      ],
    };
  };
  return (
    <Card
      title="Sessions"
      actions={
        hasOthers && (
          <Button pending={endOthers.isPending} onClick={() => endOthers.mutate()}>
            End all other sessions
          </Button>
        )
      }
    >
      <Problem error={end.error ?? endOthers.error} />
      <Loaded query={query} placeholder={<SkeletonRows />}>
        {(sessions) => (
          <LoadMore query={query} rows={sessions} name="sessions">
            <Table
              caption="Sessions"
              columns={['Browser', 'Signed in', 'Renewed', actions]}
              rows={sessions.map(rowOf)}
            />
          </LoadMore>
        )}
      </Loaded>
    </Card>
  );
}
