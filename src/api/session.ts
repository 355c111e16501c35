import bowser from 'bowser';
import { type Static, Type } from 'typebox';
import type { Session as SessionRecord } from '../users/sessions.ts';
import { Flag, Id, Nullable, PageResponse, response, Text, Timestamp, time, Whole } from './common.ts';
import { viewOf } from './view.ts';

const Session = Type.Object(
  {
    session_id: Id(),
    is_current: Flag('Whether this is the session that sent the request.'),
    address: Nullable(Text('The IP address at sign-in. Null: not known.')),
    user_agent: Nullable(Text('The browser’s `User-Agent` at sign-in.')),
    device: Nullable(Text('The browser or program and its system. Null: neither is known.')),
    created_at: Timestamp,
    renewed_at: time('When the session was last renewed. A session in use is renewed once a day.'),
    expires_at: Timestamp,
  },
  { title: 'Session', description: 'A browser or a program that is signed in.' },
);
type Session = Static<typeof Session>;

/** `currentId` is the id of the session that sent the request. */
const view = viewOf(Session);

export function sessionView(session: SessionRecord, currentId: string | null): Session {
  const isCurrent = session.sessionId === currentId;
  return view({ ...session, isCurrent, device: deviceOf(session.userAgent) });
}

/** Returns, for example, `Firefox on Linux`. */
function deviceOf(userAgent: string | null): string | null {
  if (!userAgent) return null;
  const { browser, os } = bowser.parse(userAgent);
  // Programs name themselves in the same way: `curl/8.5.0`.
  const name = browser.name || userAgent.split('/', 1)[0]?.slice(0, 40);
  return [name, os.name].filter(Boolean).join(' on ') || null;
}

export const SessionListResponse = PageResponse(
  'SessionList',
  Session,
  'A page of the sessions that have not expired, by default most recently renewed first.',
);

export const EndedSessionsResponse = Type.Object(
  { ended: Whole('Number of sessions that ended.') },
  response('EndedSessions', 'The sessions have ended.'),
);

export const SessionParams = Type.Object({ session_id: Id() });
