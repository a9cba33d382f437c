import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { Command, InvalidArgumentError } from 'commander';
import { connect } from '../../prisma/client.ts';
import { noRequest } from '../../schema/kernel/context.ts';
import type { RepositoryAddress } from '../../schema/ports/git/address.ts';
import { removeProject } from '../../schema/projects/remove.ts';
import { readChain, verifyChain } from '../backup/chain.ts';
import { createBackup } from '../backup/create.ts';
import { type FileSection, fileSections, type Item, sectionOf } from '../backup/format.ts';
import { restoreBackup } from '../backup/restore.ts';
import { machineChecks } from '../checks/machine.ts';
import type { Config } from '../config.ts';
import { backupIntoFolder, backupToOutput } from './backup-target.ts';
import { diagnose, runChecks } from './diagnosis.ts';
import { printedFindings } from './findings.ts';
import { noCaches, operator } from './operator.ts';
import { type OutputOptions, printRecord } from './output.ts';
import { progress } from './progress.ts';
import { withQueue } from './queue.ts';
import { withDatabase, withServiceDatabase } from './service-database.ts';

interface CreateCommand extends OutputOptions {
  readonly to: string;
  readonly skip: readonly FileSection[];
  readonly since?: string;
  readonly withSecrets?: boolean;
}

interface RestoreCommand extends OutputOptions {
  readonly secretKey?: string;
}

/** Reads `artifacts,traces`. */
function sectionList(text: string): readonly FileSection[] {
  return text.split(',').map((part) => {
    const section = fileSections.find((name) => name === part.trim());
    if (!section) throw new InvalidArgumentError(`It must be some of ${fileSections.join(', ')}.`);
    return section;
  });
}

const warnOfSecrets =
  'secret.key is not part of this backup: keep a copy of it apart. Without it no token of the backup works.';

async function create(config: Config, command: CreateCommand): Promise<void> {
  const { to, skip, since, withSecrets = false, ...output } = command;
  const shown = progress();
  const faults: string[] = [];
  const options = {
    base: since === undefined ? null : { path: resolve(since), file: basename(since) },
    skipped: skip,
    hasSecrets: withSecrets,
    onItem: shown.step,
    onFault: (path: string, fault: string) => faults.push(`${path}: ${fault}`),
  };
  const created = await withServiceDatabase(
    config,
    (url) => {
      const write = (out: Writable) => createBackup(config, url, out, options);
      return to === '-' ? backupToOutput(write) : backupIntoFolder(resolve(to), write);
    },
    ['older'],
  ).finally(shown.end);
  if (!withSecrets) process.stderr.write(`${warnOfSecrets}\n`);
  const { file, description, manifest } = created;
  if (file !== null) {
    const { id, takenAt } = description;
    const { size } = await stat(file);
    printRecord({ file, id, taken_at: takenAt, size, ...manifest.items }, output);
  }
  if (faults.length === 0) return;
  throw new Error(`The backup is complete but for these repositories:\n${faults.join('\n')}`);
}

async function verify(file: string, output: OutputOptions): Promise<void> {
  const shown = progress();
  const chain = await readChain(resolve(file));
  const counts: Record<string, number> = {};
  const onItem = ({ path }: Item) => {
    shown.step(path);
    const section = sectionOf(path);
    counts[section] = (counts[section] ?? 0) + 1;
  };
  await verifyChain(chain, onItem).finally(shown.end);
  const [{ description }] = chain;
  const { id, takenAt, version } = description;
  const record = {
    id,
    taken_at: takenAt,
    version,
    archives: chain.map((one) => basename(one.file)),
  };
  printRecord({ ...record, ...counts }, output);
}

/** Removes projects that users deleted while the backup was made: their repositories are not in it. */
async function removeDeleted(url: string, deleted: readonly RepositoryAddress[]): Promise<void> {
  if (deleted.length === 0) return;
  const db = connect(url, { poolSize: 2 });
  try {
    await withQueue({ url }, async (jobs) => {
      const ctx = { db, jobs, viewer: operator, viewers: noCaches, request: noRequest };
      for (const { storage, diskPath } of deleted) {
        const project = await db.project.findFirst({
          where: { storage, diskPath, isRemoved: false },
          select: { id: true },
        });
        if (project) await removeProject(String(project.id), ctx);
      }
    });
  } finally {
    await db.$disconnect();
  }
}

async function restore(config: Config, file: string, options: RestoreCommand): Promise<void> {
  const { secretKey = null, ...output } = options;
  const chain = await readChain(resolve(file));
  const shown = progress();
  const findings = printedFindings(output);
  const flags = {
    isDeep: true,
    isFixed: false,
    tally: { keepsAll: output.json === true, hasExamples: true },
  };
  await restoreBackup(
    config,
    chain,
    (work) =>
      withDatabase(config, async (url) => {
        await removeDeleted(url, await work(url));
        shown.end();
        await runChecks(machineChecks(config), flags, findings);
        await diagnose(config, url, flags, findings);
      }),
    { secretKey: secretKey === null ? null : resolve(secretKey), onItem: shown.step },
  ).finally(shown.end);
  findings.end();
}

/** `millrace backup …`. */
export function backupCommands(readConfig: () => Config): Command {
  const group = new Command('backup');
  group
    .command('create')
    .description('Write a backup; servers may run')
    .option('--to <folder>', 'the folder for the archive, or - for standard output', '.')
    .option(
      '--skip <parts>',
      `leave out some of ${fileSections.join(', ')}, separated by commas`,
      sectionList,
      [],
    )
    .option(
      '--since <backup>',
      'leave out what is unchanged since this backup, which is needed then',
    )
    .option('--with-secrets', 'include secret.key, which opens every token: protect the archive')
    .action((options: CreateCommand) => create(readConfig(), options));
  group
    .command('verify')
    .description('Compare a backup with its checksums')
    .argument('<backup>', 'the archive; those that it needs are in the same folder')
    .action((file: string, options: OutputOptions) => verify(file, options));
  group
    .command('restore')
    .description('Restore a backup into an empty data folder and database, and check them')
    .argument('<backup>', 'the archive; those that it needs are in the same folder')
    .option('--secret-key <file>', 'the secret.key of a backup without secrets')
    .action((file: string, options: RestoreCommand) => restore(readConfig(), file, options));
  return group;
}
