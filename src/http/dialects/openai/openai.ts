import type { Dialect } from '../dialect.ts';
import { openaiError } from './errors.ts';
import { openaiRateLimits } from './rate-limits.ts';
import { openaiRoutes } from './routes.ts';

/** The API of OpenAI and of Azure OpenAI, below `/openai`. */
export const openai: Dialect = {
  owns: (path) => path.startsWith('/openai/'),
  error: openaiError,
  rateLimits: openaiRateLimits,
  routes: openaiRoutes,
};
