#!/usr/bin/env node
import process from 'node:process';
import { parseArgs } from 'node:util';
import { becomeAccount } from './account.ts';
import { defaultConfigPath, readConfig } from './config.ts';
import { protocolAt, version } from './protocol.ts';
import { registerRunner, unregisterRunner } from './register.ts';
import { run } from './run.ts';

const usage = `millrace-runner ${version}

  millrace-runner register --url URL --token TOKEN [--config FILE] [--description TEXT]
      [--tags a,b] [--[no-]run-untagged] [--[no-]locked] [--concurrent N]
  millrace-runner run [--config FILE]
  millrace-runner unregister [--config FILE]

TOKEN registers runners, of a project or of the whole service; REGISTRATION_TOKEN in the
environment does as well. Without --config the file is ${defaultConfigPath()}.
`;

/** How long the jobs of a runner that is stopped have to tell that they failed, milliseconds. */
const patience = 15_000;

const say = (line: string) => process.stderr.write(`${line}\n`);

async function main(args: readonly string[]): Promise<number> {
  const [command = '', ...rest] = args;
  if (command === 'register') {
    await registerRunner(rest, process.env, say);
    return 0;
  }
  if (command === 'unregister') {
    await unregisterRunner(rest, say);
    return 0;
  }
  if (command === 'run') return runFor(rest);
  process.stderr.write(usage);
  return command === '' || command === 'help' || command === '--help' ? 0 : 2;
}

async function runFor(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      config: { type: 'string', default: defaultConfigPath() },
      // what only a service says that runs this one beside it
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
    // asked a second time
    if (stop.signal.aborted) process.exit(1);
    say('stopping: the jobs under way fail');
    stop.abort();
    drain.abort();
    setTimeout(() => giveUp.abort(), patience).unref();
  };
  // a service that runs this one decides itself what Ctrl-C means
  const interrupted = values['until-input-ends'] ? () => {} : stopNow;
  process.on('SIGTERM', stopNow).on('SIGINT', interrupted);
  process.on('SIGQUIT', () => drain.abort());
  process.on('SIGHUP', () => drain.abort());
  if (values['until-input-ends']) {
    const orphaned = () => drain.abort();
    process.stdin.on('end', orphaned).on('error', orphaned).resume();
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

// whoever read it may be gone
process.stderr.on('error', () => {});

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
