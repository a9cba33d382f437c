import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pid } from 'node:process';
import { DatabaseSync } from 'node:sqlite';

/** What a running Millrace leaves behind for the next one to read or to clear away. */
interface Owner {
  readonly pid: number;
  /** Where its PostgreSQL listens. */
  readonly sockets: string | null;
}

export interface Lock {
  /** The owner before us if it did not stop cleanly. */
  readonly killed: Owner | null;
  record(sockets: string): void;
  release(): void;
}

const sqliteBusy = 5;

/**
 * Makes this process the only Millrace on `folder`, or refuses with the pid of the one there is.
 * SQLite serves as the file lock that Node itself lacks: the kernel holds it, so it goes with its
 * process however that dies, two starts at one moment cannot both have it, and the orphaned
 * PostgreSQL of a killed process does not inherit it.
 */
export function acquireLock(folder: string): Lock {
  const ownerFile = join(folder, 'owner.json');
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

function readOwner(file: string): Owner | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // absent after a clean stop; cut short when a full disk or a kill met the write
    return null;
  }
}
