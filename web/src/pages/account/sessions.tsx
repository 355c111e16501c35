import { useInfiniteQuery } from '@tanstack/react-query';
import { endOtherSessions, endSession, type Session, sessionsQuery } from '../../api/account.ts';
import { useSave } from '../../api/use-save.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Problem } from '../../ui/problem.tsx';
import { actions, type Row, RowName, row, Table } from '../../ui/table.tsx';

/** The sessions of the user. */
export function Sessions() {
  const query = useInfiniteQuery(sessionsQuery);
  const end = useSave(endSession, [sessionsQuery.queryKey]);
  const endOthers = useSave(endOtherSessions, [sessionsQuery.queryKey]);
  const hasOthers = query.data?.rows.some(({ is_current }) => !is_current) ?? false;
  const rowOf = (session: Session): Row => {
    const { session_id, device, user_agent, address, created_at, renewed_at, is_current } = session;
    const browser = device ?? user_agent ?? 'Unknown browser';
    return row(
      session_id,
      <RowName name={browser} more={address ?? 'Unknown address'} />,
      formatMoment(created_at),
      formatAgo(renewed_at),
      is_current ? (
        <Badge look="success">This device</Badge>
      ) : (
        <Button
          aria-label={`End the session of ${browser}`}
          pending={end.isPending && end.variables === session_id}
          onClick={() => end.mutate(session_id)}
        >
          End
        </Button>
      ),
    );
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
      <LoadMore query={query} name="sessions">
        {(sessions) => (
          <Table
            caption="Sessions"
            columns={['Browser', 'Signed in', 'Last active', actions]}
            rows={sessions.map(rowOf)}
          />
        )}
      </LoadMore>
    </Card>
  );
}
