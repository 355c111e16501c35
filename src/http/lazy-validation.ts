import AjvCompiler, { type BuildCompilerFromPool } from '@fastify/ajv-compiler';

type Compile = ReturnType<BuildCompilerFromPool>;

const ajv = AjvCompiler();

/** Fastify's own validation, each schema compiled at its first request: compiling all of them would add a tenth to every start. */
export const buildValidator = (...pool: Parameters<BuildCompilerFromPool>): Compile => {
  const compile = ajv(...pool);
  return ((route) => {
    let compiled: ReturnType<Compile> | undefined;
    const validate = (value: unknown): unknown => {
      compiled ??= compile(route);
      const result = compiled(value);
      Object.assign(validate, { errors: compiled.errors });
      return result;
    };
    return validate;
  }) as Compile;
};
