import { Type } from 'typebox';
import { Id, Nullable, Timestamp } from './common.ts';

const Session = Type.Object(
  {
    session_id: Id(),
    is_current: Type.Boolean({ description: 'Whether this request was made with the session.' }),
    address: Nullable(
      Type.String({ description: 'The IP address that signed in. Null for sessions of version 0.2.' }),
    ),
    user_agent: Nullable(Type.String({ description: 'What the browser said of itself at sign-in.' })),
    created_at: Timestamp,
    renewed_at: Type.String({
      format: 'date-time',
      description: 'When the session was renewed last. A session that is in use is renewed once a day.',
    }),
    expires_at: Timestamp,
  },
  { title: 'Session', description: 'A browser or a program that is signed in.' },
);

export const SessionListResponse = Type.Object(
  { object: Type.Literal('list'), data: Type.Array(Session) },
  {
    title: 'SessionList',
    'x-response-description': 'The 100 sessions that were renewed last, newest first.',
    examples: [
      {
        object: 'list',
        data: [
          {
            session_id: '01a19671-c1c0-7667-9783-af2c197a3393',
            is_current: true,
            address: '192.0.2.1',
            user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
            created_at: '2026-11-01T09:30:00.000Z',
            renewed_at: '2026-11-02T10:00:00.000Z',
            expires_at: '2026-11-09T10:00:00.000Z',
          },
        ],
      },
    ],
  },
);

export const EndedSessionsResponse = Type.Object(
  { ended: Type.Integer({ description: 'How many sessions ended.' }) },
  { title: 'EndedSessions', 'x-response-description': 'The sessions have ended.', examples: [{ ended: 2 }] },
);

export const SessionParams = Type.Object({ session_id: Id() });
