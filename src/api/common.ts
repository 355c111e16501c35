import { type TNumberOptions, type TSchema, Type } from 'typebox';
import { defaultPageLimit, maxCounted, maxPageLimit, type Page } from '../lib/page.ts';
import type { PagedList } from '../lib/paged-list.ts';

/** Returns a schema's options for the body of a response. */
export function response(title: string, description: string) {
  return { title, 'x-response-description': description };
}

export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

export function time(description: string) {
  return Type.String({ format: 'date-time', description });
}

const described = (description?: string) => description !== undefined && { description };

export const Text = (description: string) => Type.String({ description });
export const Flag = (description: string, standard?: boolean) =>
  Type.Boolean({ description, ...(standard !== undefined && { default: standard }) });
export const Whole = (description: string, bounds?: TNumberOptions) =>
  Type.Integer({ ...bounds, description });
/** One of several texts. `standard` is the default. */
export const Choice = <Value extends string>(
  values: readonly Value[],
  description?: string,
  standard?: Value,
) =>
  Type.Enum([...values], {
    type: 'string',
    ...(standard !== undefined && { default: standard }),
    ...described(description),
  });
export const Many = <T extends TSchema>(items: T, description: string) => Type.Array(items, { description });
export const Count = (description?: string) => Type.Integer({ minimum: 0, ...described(description) });

export const Timestamp = time('ISO 8601, UTC.');

export const UserText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 254, pattern: '^[^\\u0000]*$', description });

export function Id(description?: string) {
  return Type.String({ format: 'uuid', ...described(description) });
}

/** The body of a response that lists all of `item`. */
export function List<T extends TSchema>(title: string, item: T, description: string) {
  return Type.Object({ object: Type.Literal('list'), data: Type.Array(item) }, response(title, description));
}

export function listView<T>(data: T[]): { object: 'list'; data: T[] } {
  return { object: 'list', data };
}

/** The body of a response with a page of a list of `item`, and with `fields` about the list as a whole. */
export function PageResponse<
  T extends TSchema,
  Fields extends Record<string, TSchema> = Record<never, never>,
>(title: string, item: T, description: string, fields: Fields = {} as Fields) {
  return Type.Object(
    {
      object: Type.Literal('list'),
      data: Type.Array(item),
      has_more: Type.Boolean({ description: 'Whether there are more rows after these.' }),
      next: Nullable(
        Type.String({ description: 'Send it as `after` to get the next page. Null: this is the last page.' }),
      ),
      total: Nullable(
        Count(
          `On the first page, the number of rows on all pages, counted up to ${maxCounted}. Null: it was not counted.`,
        ),
      ),
      ...fields,
    },
    response(title, description),
  );
}

/** The query of a list that is read in pages, with the fields that filter it. */
export function PageQuery<Filters extends Record<string, TSchema>>(
  { sorts, defaultSort, searched, searchedAtStart }: PagedList,
  filters: Filters = {} as Filters,
) {
  const fields = { ...pageFields(sorts, defaultSort), ...searchField(searched, searchedAtStart), ...filters };
  if (searched.length === 0) delete (fields as { q?: TSchema }).q;
  return Type.Object(fields);
}

/** What each field must be, for errors. */
export const pageExpectations = { limit: `a whole number from 1 to ${maxPageLimit}` };

const pageFields = (sorts: readonly string[], defaultSort: string) => ({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxPageLimit,
      default: defaultPageLimit,
      description: 'Maximum number of rows in the response.',
    }),
  ),
  after: Type.Optional(
    Type.String({
      maxLength: maxCursorLength,
      description:
        'The value of `next` from the page before, with the same `sort`, `q` and filters. It stays valid when ' +
        'rows are added or deleted.',
    }),
  ),
  sort: Type.Optional(
    Type.Enum([...sorts], {
      type: 'string',
      default: defaultSort,
      description: 'The order. A minus sign reverses it: `-created` lists the newest rows first.',
    }),
  ),
});

const searchField = (searched: readonly string[], atStart: readonly string[]) => ({
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 254,
      description:
        `Lists only rows whose ${searched.join(' or ')} contains this text` +
        `${atStart.length > 0 ? `, or whose ${atStart.join(' or ')} begins with it` : ''}, by default sorted by name. ` +
        'The letters A to Z match in upper and lower case. An identifier lists only the row that has it.',
    }),
  ),
});

/** Longer than the cursor of the longest name. */
const maxCursorLength = 2_000;

export function pageView<T, View>({ data, next, total }: Page<T>, view: (row: T) => View) {
  return { object: 'list' as const, data: data.map(view), has_more: next !== null, next, total };
}

export const OrgParams = Type.Object({
  org_id: Id('The organization’s identifier.'),
});

export const ExternalId = Text('Your own id: 1 to 200 characters.');

export const NoContent = Type.Null({ description: 'Success. The response has no body.' });
