import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { parse as parseYaml, YAMLParseError } from 'yaml';
import { ConfigError, Fields, refuse } from '../../packages/small/src/settings.ts';
import { codeOf } from '../errors.ts';

const example = '/etc/embedgate.yaml';

/**
 * Reads the fields of a YAML file, or of a JSON file if the name ends in `.json`. Throws a ConfigError when the file
 * can't be read.
 */
export function readSettingsFile(file: string): Fields {
  const text = readText(file);
  return new Fields(file, '', parsed(file, text), 'models: [{model: all-MiniLM-L6-v2}]');
}

function parsed(file: string, text: string): unknown {
  try {
    return extname(file) === '.json'
      ? JSON.parse(text)
      : parseYaml(text, { prettyErrors: true, logLevel: 'error' });
  } catch (reason) {
    // Report only the place of the fault, because the text next to it may be a key.
    throw new ConfigError(`${file}: ${faultOf(reason)}`);
  }
}

function readText(file: string): string {
  try {
    // Some editors start a file with a byte order mark.
    return readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  } catch (reason) {
    return refuse('EMBEDGATE_CONFIG', `"${file}" can't be read (${codeOf(reason)})`, example);
  }
}

function faultOf(reason: unknown): string {
  if (!(reason instanceof YAMLParseError && reason.linePos)) return 'is not JSON';
  const [{ line, col }] = reason.linePos;
  // The rest of a message quotes the text.
  const sentence = reason.message.split(/ at line|[:"]/, 1)[0];
  return `is not YAML: line ${line}, column ${col}: ${sentence}`;
}
