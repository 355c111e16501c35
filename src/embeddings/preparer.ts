import {
  type Engine,
  type InputType,
  type PreparedText,
  TextTooLong,
} from '../../packages/engine/src/index.ts';
import { expandedUnits } from '../../packages/small/src/expanded-units.ts';
import { unavailable } from '../errors.ts';
import type { Sharer } from '../lib/fair-order.ts';
import { FairTurns } from '../lib/fair-turns.ts';
import { throwIfGone } from './client-gone.ts';

export interface Preparation {
  readonly organization: Sharer;
  readonly inputType: InputType;
  /** Whether to cut texts over the model's limit. Otherwise they are rejected. */
  readonly truncate: boolean;
  /** Aborting it ends the preparation. */
  readonly signal?: AbortSignal | undefined;
}

// Tokenizing a piece takes a few milliseconds. A text that arrives meanwhile waits for the pieces in progress.
const pieceUnits = 16_384;
/** Requests with fewer UTF-16 units don't wait for a turn. The engine prepares those of a moment together. */
const smallUnits = 2_048;
/** With two, the engine has the next piece when it is done with one. */
const piecesAtATime = 2;

/** Prepares texts of all requests for an engine. Large requests take turns, piece by piece, in a fair order. */
export class Preparer {
  readonly #engine: Engine;
  readonly #turns = new FairTurns(piecesAtATime);

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Prepares one text or more, in order. Throws `TextTooLong`, `unavailable` or `request_timeout`. */
  async prepare(texts: readonly string[], preparation: Preparation): Promise<PreparedText[]> {
    const { organization, signal } = preparation;
    const pieces = piecesOf(texts);
    if (pieces.length === 1 && unitsIn(texts) <= smallUnits) return this.#piece(texts, preparation);
    const prepared: PreparedText[] = [];
    for (const piece of pieces) {
      throwIfGone(signal);
      const turn = () => this.#piece(piece, preparation, prepared.length);
      for (const text of await this.#turns.run(organization, unitsIn(piece), turn)) prepared.push(text);
    }
    return prepared;
  }

  /** Prepares a piece. `offset` is the index of its first text in the request. */
  async #piece(
    texts: readonly string[],
    { inputType, truncate }: Preparation,
    offset = 0,
  ): Promise<PreparedText[]> {
    const prepared = await this.#engine.prepare(texts, inputType, truncate).catch((reason) => {
      throw unavailable(reason);
    });
    if (prepared.length !== texts.length) {
      throw unavailable(new Error(`the engine prepared ${prepared.length} of ${texts.length} texts`));
    }
    const { maxTokens } = this.#engine.model;
    prepared.forEach(({ fullTokenCount }, i) => {
      if (!truncate && fullTokenCount > maxTokens)
        throw new TextTooLong(offset + i, fullTokenCount, maxTokens);
    });
    return prepared;
  }
}

export const unitsIn = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + expandedUnits(text), 0);

/** Divides texts into pieces of at most `pieceUnits`, or of one text. */
export function piecesOf(texts: readonly string[]): string[][] {
  const pieces: string[][] = [];
  let units = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    const added = expandedUnits(text);
    units += added;
    if (units > pieceUnits) {
      units = added;
      pieces.push([]);
    }
    pieces.at(-1)!.push(text);
  }
  return pieces;
}
