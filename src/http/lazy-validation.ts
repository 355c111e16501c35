import { createRequire } from 'node:module';
import type { BuildCompilerFromPool } from '@fastify/ajv-compiler';
import { storedId } from '../lib/ids.ts';

type Compile = ReturnType<BuildCompilerFromPool>;
type Validate = { (value: unknown): unknown; errors?: unknown };

const require = createRequire(import.meta.url);

/** The format that the description of the API calls `uuid`, with the identifiers made before version 0.2. */
const isIdentifier = (text: string): boolean => storedId(text) !== undefined;

const ajvCompiler = (): BuildCompilerFromPool =>
  (require('@fastify/ajv-compiler') as () => BuildCompilerFromPool)();

/** Loads all modules of the validation before a request needs them. */
export function loadValidation(): void {
  ajvCompiler()({}, { customOptions: {} });
}

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
      compile ??= ajvCompiler()(schemas, {
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
