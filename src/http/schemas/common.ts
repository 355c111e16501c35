import { type Static, type TSchema, Type } from 'typebox';

/** Errors, as documented; the code says which, the message says it to a person. */
export const ErrorBody = Type.Object(
  { error: Type.String(), message: Type.String() },
  { description: 'With `X-Error-Format: openai` the same error comes in the shape of OpenAI’s API.' },
);

export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC' });

export const OrgParams = Type.Object({ org_id: Type.String() });
export type OrgParams = Static<typeof OrgParams>;

/** The errors any authenticated route can answer with. */
export const commonErrors = {
  400: ErrorBody,
  401: ErrorBody,
  500: ErrorBody,
  503: ErrorBody,
};
