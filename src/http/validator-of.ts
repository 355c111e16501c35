import buildAjv from '@fastify/ajv-compiler';
import type { TSchema } from 'typebox';
import { storedId } from '../lib/ids.ts';

const compile = buildAjv()(
  {},
  {
    // Unknown fields are errors where the schema is closed (described.ts), and values are not converted to other types.
    customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false },
    // What the description of the API calls a `uuid`.
    onCreate: (ajv) => ajv.addFormat('uuid', (text: string) => storedId(text) !== undefined),
  },
);

type Validator = (value: unknown) => true | { error: buildAjv.ErrorObject[] };

/**
 * Returns the function that checks values by a schema, in the form that Fastify expects. The first value compiles the
 * schema: to compile all of them would be a tenth of the start.
 */
export function validatorOf({ schema }: { schema: TSchema }): Validator {
  let validate: ReturnType<typeof compile> | undefined;
  return (value) => {
    validate ??= compile({ schema });
    return validate(value) === true || { error: validate.errors ?? [] };
  };
}
