import { type Static, type TSchema, Type } from 'typebox';
import { errorCodes } from '../../errors.ts';

/** Errors, as documented; the code says which, the message says it to a person. */
const FlatError = Type.Object(
  {
    error: Type.Enum([...errorCodes], { type: 'string', description: 'Which error: for programs.' }),
    message: Type.String({ description: 'What is wrong, and what to do: for people. Its words may change.' }),
  },
  { title: 'Error' },
);

const OpenAIError = Type.Object(
  {
    error: Type.Object({
      message: Type.String(),
      type: Type.String({ description: 'The kind of error, in OpenAI’s words.' }),
      param: Nullable(Type.String({ description: 'The request field at fault.' })),
      code: Type.Enum([...errorCodes], { type: 'string' }),
    }),
  },
  { title: 'OpenAIError', description: 'The same error in the shape of OpenAI’s API.' },
);

export const ErrorBody = Type.Union([FlatError, OpenAIError]);

export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' });

/** An identifier. Those made before version 0.2 have another form, so the validator accepts them as well. */
export const Id = (description?: string) =>
  Type.String({ format: 'uuid', ...(description !== undefined && { description }) });

export const OrgParams = Type.Object({
  org_id: Id(
    'The organization’s identifier. Organizations created before version 0.2 have `org_` and 24 hexadecimal characters.',
  ),
});
export type OrgParams = Static<typeof OrgParams>;

/** The errors any authenticated route can answer with. */
export const commonErrors = {
  400: ErrorBody,
  401: ErrorBody,
  500: ErrorBody,
  503: ErrorBody,
};

/** The same for a route that reads a body. */
export const bodyErrors = { ...commonErrors, 413: ErrorBody, 415: ErrorBody };

export const NoContent = Type.Null({ description: 'Done.' });
