export { embedFile } from './embed-file.ts';
export type { FileProgress } from './job.ts';
export { inputFormats } from './read-rows.ts';
export { outputFormats } from './write-vectors.ts';
