import * as files from 'node:fs';
import process from 'node:process';
import type { DestinationStream } from 'pino';
import { waitingLines } from './waiting-lines.ts';

const standardOutput = 1;

/** The log's destination. */
export interface LogOutput extends DestinationStream {
  /** The file that lines are written to. */
  readonly descriptor: () => number;
  /** Writes further lines to the present file at the path of standard output, after a log rotation. */
  readonly reopen: () => void;
}

/**
 * Standard output. A write neither blocks the event loop nor ends the process: while no program reads the
 * pipe or the disk is full, lines wait in bounded memory.
 */
export function logOutput(): LogOutput {
  // its getter makes a pipe non-blocking
  process.stdout.on('error', () => undefined);
  const file = files.fstatSync(standardOutput).isFile() ? outputFile() : null;
  const descriptor = file?.descriptor ?? (() => standardOutput);
  const lines = waitingLines((bytes) => files.writeSync(descriptor(), bytes));
  process.on('exit', lines.flush);
  return { write: lines.add, descriptor, reopen: () => file?.reopen() };
}

const { O_WRONLY, O_CREAT, O_APPEND, O_NONBLOCK } = files.constants;
// a pipe without a reader would be waited for
const openFlags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK;

/** The file that standard output is redirected to. */
function outputFile() {
  const link = `/proc/self/fd/${standardOutput}`;
  let opened: number | null = null;
  const open = (path: string) => {
    try {
      // a file that a rotation truncates gets the next line at its start
      const next = files.openSync(path, openFlags, 0o600);
      if (opened !== null) files.closeSync(opened);
      opened = next;
    } catch {
      // of another account, or not a system with these links: the present one stays
    }
  };
  const path = pathOf(link);
  if (path !== null) open(link);
  return {
    descriptor: () => opened ?? standardOutput,
    reopen: () => {
      if (path !== null) open(path);
    },
  };
}

function pathOf(link: string): string | null {
  try {
    return files.readlinkSync(link);
  } catch {
    return null;
  }
}
