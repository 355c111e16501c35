import type { PreparedText } from '../../engine/src/index.ts';

export interface TokenizedText extends PreparedText {
  readonly ids: Int32Array;
  /** The type of each token of a pair. */
  readonly typeIds?: Int32Array | undefined;
}
