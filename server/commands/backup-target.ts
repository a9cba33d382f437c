import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { TargetFailure } from '../backup/archive-writer.ts';
import type { CreatedBackup } from '../backup/create.ts';
import { syncPath } from '../disk/files.ts';

type Create = (out: Writable) => Promise<CreatedBackup>;

/** A backup that has been written. */
export interface WrittenBackup extends CreatedBackup {
  /** Null if it went to the standard output. */
  readonly file: string | null;
}

/** What the system says of a target, in words. */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left there',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file system allows no file of this size',
  EROFS: 'it is read-only',
  EACCES: 'this account may not write there',
  EPERM: 'this account may not write there',
  ENOENT: 'the folder does not exist',
  ENOTDIR: 'it is not a folder',
  EPIPE: 'the program that read it has ended',
  EIO: 'the disk has a fault (EIO)',
};

/** The error of a backup whose target failed, in words; another error stays as it is. */
function explained(error: unknown, target: string): unknown {
  if (!(error instanceof TargetFailure)) return error;
  const { code, message } = error.cause as NodeJS.ErrnoException;
  const reason = reasons[code ?? ''] ?? message;
  return new Error(`The backup was not written to ${target}: ${reason}.`, { cause: error });
}

/** The result of an operation on the target. */
const ofTarget = <Result>(operation: Promise<Result>): Promise<Result> =>
  operation.catch((error: Error) => {
    throw new TargetFailure(error.message, { cause: error });
  });

/** Names of files of backups that are not complete; no command takes them for backups. */
const draftName = /^\.millrace-backup-[\w-]+\.partial$/;

/** Milliseconds after the last write, after which the command that wrote a draft has been killed. */
const abandonedAfter = 86_400_000;

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => draftName.test(one))) {
    const draft = join(folder, name);
    const stats = await stat(draft).catch(() => null);
    if (stats && stats.mtimeMs < Date.now() - abandonedAfter) await rm(draft, { force: true });
  }
}

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Rejects when a signal asks the process to stop, which does not end it meanwhile. */
function watchSignals() {
  const stopped = Promise.withResolvers<never>();
  // the signal may come before anything waits for it
  stopped.promise.catch(() => {});
  const stop = () => {
    const reason = new Error('the command was stopped');
    stopped.reject(new TargetFailure(reason.message, { cause: reason }));
  };
  for (const signal of stopSignals) process.once(signal, stop);
  return {
    stopped: stopped.promise,
    end: () => {
      for (const signal of stopSignals) process.off(signal, stop);
    },
  };
}

/** Writes a backup into a file of `folder`, which gets its name once it is complete and on the disk. */
export async function backupIntoFolder(folder: string, create: Create): Promise<WrittenBackup> {
  const draft = join(folder, `.millrace-backup-${crypto.randomUUID()}.partial`);
  const signals = watchSignals();
  try {
    await ofTarget(removeAbandoned(folder));
    const handle = await ofTarget(open(draft, 'wx', 0o600));
    const out = handle.createWriteStream({ flush: true });
    // the archive reports it, if it has begun
    out.on('error', () => {});
    try {
      const created = await Promise.race([create(out), signals.stopped]);
      const { takenAt, id } = created.description;
      const time = takenAt.replace(/\.\d+Z$/, 'Z').replaceAll(':', '');
      const file = join(folder, `millrace-${time}-${id.slice(0, 8)}.tar`);
      await ofTarget(rename(draft, file).then(() => syncPath(folder)));
      return { ...created, file };
    } catch (error) {
      out.destroy();
      await handle.close().catch(() => {});
      await rm(draft, { force: true });
      throw error;
    }
  } catch (error) {
    throw explained(error, folder);
  } finally {
    signals.end();
  }
}

/** Writes a backup to the standard output, for another program. */
export async function backupToOutput(create: Create): Promise<WrittenBackup> {
  try {
    return { ...(await create(process.stdout)), file: null };
  } catch (error) {
    throw explained(error, 'standard output');
  }
}
