import { Command } from 'commander';
import type { Viewer } from '../../schema/kernel/viewer.ts';
import { viewerOf } from '../../schema/sessions/viewer.ts';
import type { Config } from '../config.ts';
import { gitStore } from '../git/store.ts';
import { importGroup } from '../importing/group.ts';
import { peopleOf } from '../importing/people.ts';
import { importProject } from '../importing/project.ts';
import { createReport, type Report } from '../importing/report.ts';
import { openSource } from '../importing/source.ts';
import { readSecretLine } from './input.ts';
import { asOperator, type Operator, recorded } from './operator.ts';
import { type OutputOptions, printRecord } from './output.ts';
import { progress } from './progress.ts';
import { withQueue } from './queue.ts';

interface ImportOptions extends OutputOptions {
  readonly url: string;
  readonly token: string;
  readonly project?: string;
  readonly group?: string;
  readonly to?: string;
  readonly owner?: string;
}

/** The user in whose name the import writes, with the rights of the administrator who runs it. */
async function importerOf(name: string | undefined, { db, viewer }: Operator): Promise<Viewer> {
  const user = await db.user.findFirst({
    where: { state: 'active', ...(name === undefined ? { isAdmin: true } : { username: name }) },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  const importer = user && (await viewerOf(db, user.id));
  if (importer) return { ...importer, isAdmin: viewer?.isAdmin ?? false };
  throw new Error(
    name === undefined
      ? 'There is no administrator: name a user with --owner.'
      : `There is no active user ${name}.`,
  );
}

/** A user's name is enough to see whose texts name their author. */
const mostNames = 20;

function print(path: string, report: Report, unknown: readonly string[], output: OutputOptions) {
  for (const problem of report.problems) process.stderr.write(`left out: ${problem}\n`);
  if (unknown.length > 0) {
    const names = unknown
      .slice(0, mostNames)
      .join(', ')
      .replace(/\p{Cc}/gu, ' ');
    const more = unknown.length > mostNames ? ` and ${unknown.length - mostNames} more` : '';
    process.stderr.write(
      `No user here has the e-mail address of: ${names}${more}. The texts name them.\n`,
    );
  }
  printRecord({ path, ...report.counts, left_out: report.problems.length }, output);
}

async function runImport(config: Config, options: ImportOptions): Promise<void> {
  const { project, group, to, url, ...output } = options;
  const named = project ?? group;
  if (named === undefined || (project !== undefined && group !== undefined)) {
    throw new Error('Name either a --project or a --group of the source.');
  }
  const token = options.token === '-' ? await readSecretLine() : options.token;
  const stopping = new AbortController();
  const stop = () => stopping.abort(new Error('Stopped; the same command continues it.'));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const source = openSource(url, token, stopping.signal);
  const shown = progress();
  const report = createReport(shown.step);
  const git = gitStore({ storages: config.storages, allowsLocalRequests: true });
  try {
    await asOperator(config, (operator) =>
      recorded({ command: 'import', subject: `${url} ${named}` }, operator, () =>
        withQueue(operator, async (jobs) => {
          const importer = await importerOf(options.owner, operator);
          const people = peopleOf(source, operator.db);
          const service = {
            ...operator,
            viewer: importer,
            baseUrl: config.baseUrl,
            sshUrl: config.sshUrl,
            git,
            jobs,
          };
          const parts = { ...service, source, people, report, importer, signal: stopping.signal };
          const work = project === undefined ? importGroup : importProject;
          const path = await work(named, to ?? null, parts);
          shown.end();
          print(path, report, people.unknown(), output);
        }),
      ),
    );
  } finally {
    shown.end();
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await git.close();
  }
  if (report.hasFailed()) throw new Error('Run the command again for what it left out.');
}

/** `millrace import …`. */
export const importCommand = (config: () => Config): Command =>
  new Command('import')
    .requiredOption('--url <url>', 'address of the source, such as https://code.example')
    .requiredOption('--token <token>', 'access token of the source; - reads it from standard input')
    .option('--project <path>', 'project of the source: full path or id')
    .option('--group <path>', 'group of the source, with its projects and subgroups')
    .option('--to <path>', 'group or user here that it is imported into')
    .option('--owner <username>', 'owner of what is imported; by default the first administrator')
    .addHelpText(
      'after',
      `
Reads by the v4 API: the repository, members, labels, milestones, releases, issues, merge requests, snippets and the wiki,
all with their notes. Authors are found by their e-mail address, for which the token must be an administrator's; the texts of
others name them. An interrupted import continues when the command is repeated, and one that has finished stays as it is.
`,
    )
    .action((options: ImportOptions) => runImport(config(), options));
