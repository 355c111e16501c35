import { createRequire } from 'node:module';
import type { BuildCompilerFromPool } from '@fastify/ajv-compiler';
import { storedId } from '../lib/ids.ts';

type Compile = ReturnType<BuildCompilerFromPool>;
type Validate = { (value: unknown): unknown; errors?: unknown };

const require = createRequire(import.meta.url);

/** The format that the description of the API calls `uuid`, with the identifiers made before version 0.2. */
const isIdentifier = (text: string): boolean => storedId(text) !== undefined;

/**
 * Fastify's own validation, loaded at the first request that needs it, and each schema compiled at its first: doing all of it
 * beforehand would add a fifth to every start.
 */
export const buildValidator = (...[schemas, options]: Parameters<BuildCompilerFromPool>): Compile => {
  let compile: Compile | undefined;
  return ((route) => {
    let compiled: ReturnType<Compile> | undefined;
    const validate: Validate = (value) => {
      // Fastify compiles within a request, at once: an import would come too late.
      compile ??= (require('@fastify/ajv-compiler') as () => BuildCompilerFromPool)()(schemas, {
        ...options,
        onCreate: (ajv) => ajv.addFormat('uuid', isIdentifier),
      });
      compiled ??= compile(route);
      const result = compiled(value);
      validate.errors = compiled.errors;
      return result;
    };
    return validate;
  }) as Compile;
};
