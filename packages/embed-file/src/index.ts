export { embedFile } from './embed-file.ts';
export type { Progress } from './job.ts';
export { inputFormats } from './read-rows.ts';
export { outputFormats } from './write-vectors.ts';
