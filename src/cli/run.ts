import { readConfig } from '../config.ts';
import { serve } from '../server.ts';
export async function run(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  await serve(readConfig(env));
}
