import { Command, CommanderError } from 'commander';
import { snakeCase } from '../../rest-facade/kernel/case.ts';
import { DomainError } from '../../schema/kernel/errors.ts';
import { programVersion } from '../../schema/settings/version.ts';
import { type Config, readConfig } from '../config.ts';
import { requireAccess } from './installation.ts';
import type { RunCommand } from './operator.ts';

/** Of a command that failed. */
const failed = 1;
/** Of a command line that cannot be understood. */
const misused = 2;

const footer = `
Commands use the database and the data folder of the server: give them the same environment variables, and run them as
its account. They work while the server runs. While it is stopped they start the embedded database for themselves.

Exit codes: 0 done, 1 the command failed, 2 unknown command, option or value.
`;

interface Group {
  readonly description: string;
  /** Loaded only if the command line names it: most groups need a part of the service only. */
  readonly load: (run: RunCommand, config: () => Config) => Promise<Command>;
}

const groups: Readonly<Record<string, Group>> = {
  serve: {
    description: 'Start the server',
    // the program has started it instead of this
    load: async () => new Command('serve'),
  },
  user: {
    description: 'Users, with their passwords, second factors and tokens',
    load: async (run) => (await import('./users.ts')).userCommands(run),
  },
  project: {
    description: 'Projects and their repositories',
    load: async (run) => (await import('./projects.ts')).projectCommands(run),
  },
  settings: {
    description: 'Application settings',
    load: async (run) => (await import('./settings.ts')).settingCommands(run),
  },
  job: {
    description: 'Background jobs that failed permanently',
    load: async (run) => (await import('./jobs.ts')).jobCommands(run),
  },
  oauth: {
    description: 'Keys of OpenID Connect',
    load: async (run) => (await import('./oauth.ts')).oauthCommands(run),
  },
  runner: {
    description: 'CI runners',
    load: async (run) => (await import('./runners.ts')).runnerCommands(run),
  },
  audit: {
    description: 'The audit log',
    load: async (run) => (await import('./audit.ts')).auditCommands(run),
  },
  backup: {
    description: 'Backups of the database, the repositories and all files',
    load: async (_run, config) => (await import('./backup.ts')).backupCommands(config),
  },
  objects: {
    description: 'Uploads, artifacts, traces and LFS objects in an object store',
    load: async (run, config) => (await import('./objects.ts')).objectCommands(config, run),
  },
  import: {
    description: 'Import a project or a group from another server by its v4 API',
    load: async (_run, config) => (await import('./import.ts')).importCommand(config),
  },
  doctor: {
    description: 'Check the installation and its data',
    load: async (_run, config) => (await import('./doctor.ts')).doctorCommand(config),
  },
  migrate: {
    description: 'Migrations of the database',
    load: async (_run, config) => (await import('./migrations.ts')).migrationCommands(config),
  },
};

/** Applies the settings of a command to all commands below it. */
function applyToAll(command: Command): void {
  command.exitOverride().showHelpAfterError('(use --help to list the options)');
  // only commands that do something print results
  if (command.commands.length === 0) command.option('--json', 'print JSON');
  for (const inner of command.commands) applyToAll(inner);
}

const messageOf = (error: unknown): string => {
  if (error instanceof OutputFailure) return `The result was not written: ${error.message}`;
  if (error instanceof DomainError && error.fields) {
    const faults = Object.entries(error.fields).flatMap(([name, texts]) =>
      texts.map((text) => `${snakeCase(name)} ${text}`),
    );
    if (faults.length > 0) return faults.join('\n');
  }
  return error instanceof Error ? error.message : String(error);
};

/** Watches the standard output, whose failure must not end a command half way. */
function watchOutput() {
  let fault: NodeJS.ErrnoException | null = null;
  process.stdout.on('error', (error) => {
    fault ??= error;
  });
  return {
    /** Throws if a result was not written. A reader that has ended, such as `head`, wants no more. */
    requireWritten: async (): Promise<void> => {
      // the event of the last write is still to come
      await new Promise(setImmediate);
      if (fault) throw new OutputFailure(fault.message, { cause: fault });
    },
  };
}

class OutputFailure extends Error {}

const isReaderGone = (error: unknown): boolean =>
  error instanceof OutputFailure && (error.cause as NodeJS.ErrnoException).code === 'EPIPE';

/**
 * Runs the command of a command line, without the names of the programs; returns the exit code. Messages
 * go to standard error, results to standard output.
 */
export async function runCommand(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const config = () => {
    const values = readConfig(environment);
    requireAccess(values.dataFolder);
    return values;
  };
  const run: RunCommand = async (work) => {
    const { asOperator, commandOf, recorded } = await import('./operator.ts');
    const command = commandOf(args);
    return asOperator(config(), (operator) =>
      command ? recorded(command, operator, () => work(operator)) : work(operator),
    );
  };
  const program = new Command('millrace')
    .description('Administrates a Millrace instance.')
    .version(`Millrace ${programVersion}`)
    .addHelpText('after', footer);
  for (const [name, { description, load }] of Object.entries(groups)) {
    const group = args.includes(name) ? await load(run, config) : new Command(name);
    program.addCommand(group.description(description));
  }
  applyToAll(program);
  const output = watchOutput();
  try {
    await program.parseAsync(args, { from: 'user' });
    await output.requireWritten();
    return 0;
  } catch (error) {
    // it has printed its message
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : misused;
    if (!isReaderGone(error)) process.stderr.write(`${messageOf(error)}\n`);
    return failed;
  }
}
