import type { TokenSigner } from '../token-signer.ts';
import type { Manifest } from './manifest.ts';

/** What a verified archive is restored with. */
export interface RestoreOptions {
  readonly manifest: Manifest;
  readonly signer: TokenSigner;
  onBytes(bytes: number): void;
}
