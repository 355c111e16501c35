import { type TSchema, Type } from 'typebox';

/** Returns a schema's options for the body of a response. */
export function response(title: string, description: string, ...examples: unknown[]) {
  return { title, 'x-response-description': description, examples };
}

export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

export function time(description: string) {
  return Type.String({ format: 'date-time', description });
}

export const Timestamp = time('ISO 8601, UTC.');

/** An identifier. Identifiers from before version 0.2 have another format, which the validator accepts too. */
export function Id(description?: string) {
  return Type.String({ format: 'uuid', ...(description !== undefined && { description }) });
}

/** The body of a response that lists `item`. */
export function List<T extends TSchema>(title: string, item: T, description: string, ...examples: unknown[]) {
  return Type.Object(
    { object: Type.Literal('list'), data: Type.Array(item) },
    response(title, description, { object: 'list', data: examples }),
  );
}

export function listView<T>(data: T[]): { object: 'list'; data: T[] } {
  return { object: 'list', data };
}

export const OrgParams = Type.Object({
  org_id: Id(
    'The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters.',
  ),
});

export const NoContent = Type.Null({ description: 'Success. The response has no body.' });
