import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pid } from 'node:process';
import { DatabaseSync } from 'node:sqlite';

/** What a running Millrace records for the next one. */
interface Owner {
  readonly pid: number;
  /** The folder of its PostgreSQL's socket. */
  readonly sockets: string | null;
}

export interface Lock {
  /** The previous owner, if it did not stop cleanly. */
  readonly killed: Owner | null;
  record(sockets: string): void;
  release(): void;
}

const sqliteBusy = 5;

export const ownerFileIn = (folder: string): string => join(folder, 'owner.json');

/**
 * Makes this process the only Millrace on `folder`, or throws with the pid of the owner. SQLite
 * provides the file lock that Node lacks: the kernel holds it, so it is released however the
 * process dies, two concurrent starts cannot both acquire it, and the orphaned PostgreSQL of a
 * killed process does not inherit it.
 */
export function acquireLock(folder: string): Lock {
  const ownerFile = ownerFileIn(folder);
  const held = hold(join(folder, 'lock'), ownerFile);
  const killed = readOwner(ownerFile);
  const write = (sockets: string | null) =>
    writeFileSync(ownerFile, JSON.stringify({ pid, sockets } satisfies Owner));
  write(killed?.sockets ?? null);
  return {
    killed,
    record: write,
    release() {
      if (!held.isOpen) return;
      rmSync(ownerFile, { force: true });
      held.close();
    },
  };
}

function hold(file: string, ownerFile: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    const { errcode, message } = error as Error & { readonly errcode?: number };
    if (errcode !== sqliteBusy) {
      throw new Error(
        `Cannot lock ${file} (${message}): it must belong to the account that runs Millrace.`,
      );
    }
    const who = readOwner(ownerFile)?.pid ?? 'unknown';
    throw new Error(
      `Another Millrace (pid ${who}) is running on this data folder: stop it, or give this one another MILLRACE_DATA.`,
    );
  }
}

/** The process that runs the PostgreSQL of a folder, or ran it until a kill; null after a clean stop. */
export function readOwner(file: string): Owner | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // absent after a clean stop; truncated when a full disk or a kill interrupted the write
    return null;
  }
}
