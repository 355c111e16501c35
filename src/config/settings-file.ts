import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import type * as Yaml from 'yaml';
import { ConfigError } from './config-error.ts';
import { Fields } from './file-fields.ts';

const example = 'EMBEDGATE_CONFIG=/etc/embedgate.yaml';

/** The fields of a YAML file, or of a JSON one by its ending. Throws a ConfigError when it can't be read. */
export function readSettingsFile(file: string): Fields {
  const text = readText(file);
  return new Fields(file, '', parsed(file, text), 'models: [{model: universal-sentence-encoder-lite}]');
}

function parsed(file: string, text: string): unknown {
  try {
    return extname(file) === '.json' ? JSON.parse(text) : parseYaml(text);
  } catch (reason) {
    // What stands beside the fault may be a key, so only its place is told.
    throw new ConfigError(`${file}: ${faultOf(reason)}; for example ${example}`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (reason) {
    const { code } = reason as NodeJS.ErrnoException;
    throw new ConfigError(`EMBEDGATE_CONFIG: "${file}" can't be read (${code}); for example ${example}`);
  }
}

function parseYaml(text: string): unknown {
  // Only for who has such a file: it takes a start longer.
  const require = createRequire(import.meta.url);
  const { parse } = require('yaml') as typeof Yaml;
  return parse(text, { prettyErrors: true, logLevel: 'error' });
}

function faultOf(reason: unknown): string {
  const { name, code, linePos } = reason as Error & Partial<Yaml.YAMLParseError>;
  if (name !== 'YAMLParseError' || !linePos) return 'is not JSON';
  return `is not YAML: line ${linePos[0].line}, column ${linePos[0].col} (${code})`;
}
