import { Type } from 'typebox';
import { Id } from './common.ts';

export const EventQuery = Type.Object({ org_id: Id('The organization to follow.') });

export const EventsResponse = {
  description: 'The events, until either side closes the connection.',
  content: {
    'text/event-stream': {
      schema: Type.String(),
      example: 'event: usage\ndata: {"requests":2}\n\n',
    },
  },
};
