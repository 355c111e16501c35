export {
  type Alias,
  closeness,
  cosine,
  type Engine,
  type InputType,
  type Model,
  type Named,
  PartlyFailed,
  type PreparedText,
  promptedTypes,
  sampleFor,
  selfTestTextsOf,
  type Tokenization,
  type TraceHeaders,
  type Upstream,
} from './engine.ts';
export { inHalves, type VectorOrError, vectorsOf } from './in-halves.ts';
export { type Facts, facts, isLanguage, readModelCard } from './model-card.ts';
export { environmentOverrides, fileOverrides, type ModelOverrides, refuseOverrides } from './overrides.ts';
export { cutLongest, joinPair, maxQueryUnits, maxUnitsBefore, splitPair } from './pair.ts';
export { NotTokenized, TextRefused, TextTooLong } from './text-errors.ts';
export * as variables from './variables.ts';
