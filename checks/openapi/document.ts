import { ErrorBody } from '../../src/api/error.ts';
import {
  headerRefs,
  modelParameterRefs,
  nameWithoutLimits,
  parameterRefs,
  refTo,
  sharedComponents,
} from './components.ts';
import { withLimits } from './describe-routes.ts';
import { failures } from './failures.ts';

type Json = Record<string, unknown>;
type Operation = {
  [withLimits]?: boolean;
  security?: readonly Json[];
  parameters?: unknown[];
  responses: Record<string, Json>;
};
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Json;
}

/**
 * Completes the document made from the routes' schemas: schemas with a title become components of that name, and every
 * response gets the headers that routes do not name.
 */
export function completeDocument<D>(made: D): D {
  const document = made as Document;
  const schemas: Json = {};
  const paths = mapValues(document.paths, (operations) =>
    mapValues(operations, (operation) => hoistTitled(completeOperation(operation), schemas)),
  );
  const shared = hoistTitled(sharedComponents(ErrorBody), schemas) as Json;
  return {
    ...document,
    components: { ...document.components, ...shared, schemas: sorted(schemas) },
    paths,
  } as D;
}

function completeOperation({ [withLimits]: hasLimits, ...operation }: Operation): Operation {
  const usesModel = '412' in operation.responses;
  const groups = [hasLimits === true && 'RateLimit', usesModel && 'Model'].filter((group) => group !== false);
  const headers = headerRefs(['RequestId', ...groups]);
  const isApi = '500' in operation.responses;
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const failure = hasDescription(response) ? undefined : failures[status];
    if (!failure) return [status, { ...response, headers }];
    return [status, refTo('responses', hasLimits ? failure.name : nameWithoutLimits(failure))];
  });
  return {
    ...operation,
    ...(isApi && {
      parameters: [
        ...(operation.parameters ?? []),
        ...parameterRefs,
        ...(usesModel ? modelParameterRefs : []),
      ],
    }),
    responses: Object.fromEntries(responses),
  };
}

/** Responses with a body of their own describe themselves. The others are the errors of the table. */
function hasDescription({ description }: Json): boolean {
  return description !== 'Default Response';
}

function hoistTitled(node: unknown, schemas: Json): unknown {
  if (Array.isArray(node)) return node.map((item) => hoistTitled(item, schemas));
  if (typeof node !== 'object' || node === null) return node;
  const { title, ...rest } = mapValues(node as Json, (value) => hoistTitled(value, schemas));
  if (title === undefined) return rest;
  if (typeof title !== 'string') return { title, ...rest };
  schemas[title] = rest;
  return refTo('schemas', title);
}

function mapValues<V, R>(
  object: Readonly<Record<string, V>>,
  map: (value: V, key: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}

function sorted(object: Json): Json {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
