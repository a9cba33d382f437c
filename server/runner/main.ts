#!/usr/bin/env node
import process from 'node:process';
import { parseArgs } from 'node:util';
import { becomeAccount } from './account.ts';
import { defaultConfigPath, readConfig } from './config.ts';
import { protocolAt, version } from './protocol.ts';
import { registerRunner, unregisterRunner } from './register.ts';
import { run } from './run.ts';

const usage = `Usage:
  millrace-runner register --url URL --token TOKEN [--config FILE] [--description TEXT]
      [--tags a,b] [--[no-]run-untagged] [--[no-]locked] [--concurrent N]
  millrace-runner run [--config FILE]
  millrace-runner unregister [--config FILE]

Options:
  --url URL           The address of the Millrace server
  --token TOKEN       A registration token, of a project or of the server; the environment
                      variable REGISTRATION_TOKEN is used if it is missing
  --config FILE       The configuration file (default: ${defaultConfigPath()})
  --description TEXT  The runner's name in lists (default: the host name)
  --tags a,b          Run only jobs whose tags are all listed here
  --run-untagged      Also run jobs without tags; --no-run-untagged does not
  --locked            Run jobs of this project only
  --concurrent N      How many jobs run at the same time, 1 to 100 (default: 1)
  --help, --version
`;

/** Time for the jobs of a stopped runner to report that they failed, in milliseconds. */
const patience = 15_000;

const say = (line: string) => process.stderr.write(`${line}\n`);

async function main(args: readonly string[]): Promise<number> {
  const [command = '', ...rest] = args;
  const isHelp = ['help', '--help', '-h'].includes(command) || /^(--help|-h)$/.test(rest[0] ?? '');
  if (isHelp || command === '--version') {
    process.stdout.write(isHelp ? usage : `millrace-runner ${version}\n`);
    return 0;
  }
  if (command === 'register') {
    await registerRunner(rest, process.env, say);
    return 0;
  }
  if (command === 'unregister') {
    await unregisterRunner(rest, say);
    return 0;
  }
  if (command === 'run') return runFor(rest);
  say(command === '' ? usage : `Unknown command '${command}'.\n${hint}`);
  return 2;
}

const hint = 'Use --help to list the commands and options.';

async function runFor(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      config: { type: 'string', default: defaultConfigPath() },
      // passed by a server that runs this runner beside itself
      url: { type: 'string' },
      user: { type: 'string' },
      umask: { type: 'string' },
      'work-folder': { type: 'string' },
      concurrent: { type: 'string' },
      'until-input-ends': { type: 'boolean', default: false },
    },
  });
  const written = await readConfig(values.config);
  const config = {
    ...written,
    ...(values.url && { url: values.url, cloneUrl: values.url }),
    ...(values['work-folder'] && { workFolder: values['work-folder'] }),
    ...(values.concurrent && { concurrent: Number(values.concurrent) }),
  };
  if (values.umask) process.umask(values.umask);
  if (values.user) becomeAccount(values.user);
  const [drain, stop, giveUp] = [
    new AbortController(),
    new AbortController(),
    new AbortController(),
  ];
  const stopNow = () => {
    // the second request stops at once
    if (stop.signal.aborted) process.exit(1);
    say('stopping: the running jobs fail');
    stop.abort();
    drain.abort();
    setTimeout(() => giveUp.abort(), patience).unref();
  };
  // a server that runs this runner handles Ctrl-C itself
  const interrupted = values['until-input-ends'] ? () => {} : stopNow;
  process.on('SIGTERM', stopNow).on('SIGINT', interrupted);
  process.on('SIGQUIT', () => drain.abort());
  process.on('SIGHUP', () => drain.abort());
  if (values['until-input-ends']) {
    const orphaned = () => drain.abort();
    process.stdin.on('end', orphaned).on('error', orphaned);
    // the server's heartbeat
    process.stdin.on('data', (chunk) => process.stdout.write(chunk));
    process.stdout.on('error', () => {});
  }
  await run({
    config,
    protocol: protocolAt(config.url),
    ownEnvironment: process.env,
    drain: drain.signal,
    stop: stop.signal,
    giveUp: giveUp.signal,
    log: say,
  });
  return 0;
}

// the reader of standard error may have ended
process.stderr.on('error', () => {});

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  const { message, code = '' } = error as NodeJS.ErrnoException;
  const isUsage = code.startsWith('ERR_PARSE_ARGS_');
  say(isUsage ? `${message}\n${hint}` : message);
  process.exit(isUsage ? 2 : 1);
}
