import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Document, isMap, isSeq, parse as parseYaml, visit, YAMLParseError } from 'yaml';
import { ConfigError, Fields, refuse } from '../../packages/small/src/settings.ts';
import { codeOf } from '../errors.ts';

const example = '/etc/embedgate.yaml';

/**
 * Reads the fields of a YAML file, or of a JSON file if the name ends in `.json`. Throws a ConfigError when the file
 * can't be read.
 */
export function readSettingsFile(file: string): Fields {
  const written = readYaml(file, (fault) => refuse('EMBEDGATE_CONFIG', fault, example));
  return new Fields(file, '', written, 'models: [{model: all-MiniLM-L6-v2}]');
}

/** Reads a file as YAML or JSON. */
export const readYaml = (file: string, fail: (fault: string) => never) => parsed(file, readText(file, fail));

/** Returns YAML that has one line for each mapping without others inside. */
export function yamlOf(value: unknown): string {
  const document = new Document(value);
  visit(document, {
    Map: (_key, map) => {
      map.flow = !map.items.some(({ value }) => isMap(value) || (isSeq(value) && isMap(value.items[0])));
    },
  });
  return document.toString({ lineWidth: 0 });
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

function readText(file: string, fail: (fault: string) => never): string {
  try {
    // Some editors start a file with a byte order mark.
    return readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  } catch (reason) {
    return fail(`"${file}" can't be read (${codeOf(reason)})`);
  }
}

function faultOf(reason: unknown): string {
  if (!(reason instanceof YAMLParseError && reason.linePos)) return 'is not JSON';
  const [{ line, col }] = reason.linePos;
  // The rest of a message quotes the text.
  const sentence = reason.message.split(/ at line|[:"]/, 1)[0];
  return `is not YAML: line ${line}, column ${col}: ${sentence}`;
}
