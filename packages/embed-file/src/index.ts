export { compareVectors } from './compare.ts';
export { earlierOutput } from './earlier-output.ts';
export { embedFile } from './embed-file.ts';
export { EmbeddingClient } from './embedding-client.ts';
export type { FileProgress } from './job.ts';
export { inputFormats } from './read-rows.ts';
export { outputFormats } from './write-vectors.ts';
