import pino, { type Logger } from 'pino';
import { isObject } from '../../packages/small/src/json.ts';
import { ServiceError } from '../errors.ts';
import { withoutControls } from '../lib/harmless.ts';

type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

const { isoTime } = pino.stdTimeFunctions;

/** Opens the log: lines for people if stderr is a terminal, otherwise a JSON object on each line. */
export function openLog(level: string, stderr: Terminal = process.stderr): Logger {
  const destination = stderr.isTTY ? linesFor(stderr) : pino.destination({ dest: 2, sync: false });
  const formatters = {
    level: (label: string, number: number) => ({ level: number, severity: severities[label] }),
  };
  return pino(
    { level, base: null, timestamp: isoTime, formatters, serializers: { err: reasonBehind } },
    destination,
  );
}

/** The names that collectors of logs know, by those of pino. */
const severities: Readonly<Record<string, string>> = {
  trace: 'DEBUG',
  debug: 'DEBUG',
  info: 'INFO',
  warn: 'WARNING',
  error: 'ERROR',
  fatal: 'CRITICAL',
};

/** A ServiceError says what clients may know. Its cause says what happened. */
const reasonBehind = (reason: Error) =>
  pino.stdSerializers.err(
    reason instanceof ServiceError && reason.cause instanceof Error ? reason.cause : reason,
  );

/** Returns a destination that writes time and message. */
function linesFor(terminal: Terminal): pino.DestinationStream {
  return {
    write(json: string): void {
      const { level, severity: _severity, time, msg, err, ...fields } = JSON.parse(json);
      const clock = new Date(time).toTimeString().slice(0, 8);
      const details = [
        ...Object.entries(fields).map(shown),
        ...(isObject(err) ? [reasonOf(err, level)] : []),
      ];
      terminal.write(`${withoutControls([clock, nameOf(level) + msg, ...details].join(' '))}\n`);
    },
  };
}

const nameOf = (level: number): string =>
  level === pino.levels.values.info ? '' : `${pino.levels.labels[level]}: `;

/** Quotes a value with a line break, which could pass for a line of its own. */
const shown = ([name, value]: [string, unknown]): string =>
  `${name}=${typeof value === 'string' && !/[\n\r]/.test(value) ? value : JSON.stringify(value)}`;

/** Returns the stack of an error, and the message of what is only a warning. */
function reasonOf({ message, stack }: Readonly<Record<string, unknown>>, level: number): string {
  return level >= pino.levels.values.error! ? `\n${stack}` : `(${message})`;
}
