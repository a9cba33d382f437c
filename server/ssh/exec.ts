import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import type { ServerChannel } from 'ssh2';
import { packetLine } from '../git-http/protocol.ts';
import { pushOutput } from '../git-http/side-band.ts';
import {
  type LfsCommand,
  readCommand,
  readLfsCommand,
  repositoryPath,
  type SshCommand,
} from './command.ts';
import type { ServerLink } from './link.ts';
import type { Identity, Opened } from './messages.ts';

interface ExecInput {
  readonly identity: Identity;
  readonly address: string;
  readonly command: string;
  /** The protocol of git that the client asks for. */
  readonly protocol: string | null;
}

/** Git holds a fetch request in memory: wants and haves, some 50 bytes each. */
const maxFetchRequest = 64 * 2 ** 20;

const maxStderr = 8_192;

/** Milliseconds without a byte in either direction, after which a command is ended. */
const stalledAfter = 900_000;

const accessEnded = 'Your access to the project has ended.\n';

const unknownCommand = `Only git may be used: git-upload-pack, git-receive-pack and git-upload-archive.\n`;

/** Runs the command of a client, if the server permits it; resolves once it has ended. */
export async function runCommand(
  channel: ServerChannel,
  { command, ...client }: ExecInput,
  link: ServerLink,
): Promise<void> {
  channel.on('error', () => {});
  const lfs = readLfsCommand(command);
  if (lfs) return answerLfs(channel, { ...lfs, identity: client.identity }, link);
  const parsed = readCommand(command);
  if (!parsed) return finish(channel, 1, { stderr: unknownCommand });
  const { service } = parsed;
  const path = repositoryPath(parsed.path);
  const opened = await link.ask('open', { ...client, service, path });
  if ('refusal' in opened) return refuse(channel, parsed, opened.refusal);
  try {
    if (opened.notice !== null) channel.stderr.write(opened.notice);
    await runGit(channel, parsed, opened, link);
  } catch (error) {
    await link.ask('close', { session: opened.session });
    throw error;
  }
}

/** Prints the token with which git-lfs transfers objects over HTTP. */
async function answerLfs(
  channel: ServerChannel,
  { path, ...ask }: LfsCommand & { readonly identity: Identity },
  link: ServerLink,
): Promise<void> {
  const answer = await link.ask('lfs', { ...ask, path: repositoryPath(path) });
  return 'refusal' in answer
    ? finish(channel, 1, { stderr: `${answer.refusal}\n` })
    : finish(channel, 0, { stdout: `${answer.text}\n` });
}

/** Says why in git's own words, which need no explanation of the connection that ends. */
function refuse(channel: ServerChannel, { service }: SshCommand, text: string): Promise<void> {
  if (service === 'git-upload-archive') return finish(channel, 1, { stderr: `${text}\n` });
  const stdout = packetLine(`ERR ${text.replace(/\s+/g, ' ').trim()}`);
  return finish(channel, 1, { stdout });
}

/** Ends a command, with the last of its output. */
export async function finish(
  channel: ServerChannel,
  code: number,
  {
    stdout = '',
    stderr = '',
  }: { readonly stdout?: string | Buffer | undefined; readonly stderr?: string },
): Promise<void> {
  if (channel.destroyed) return;
  // what the client still sends is discarded
  channel.resume();
  if (stdout.length > 0) channel.write(stdout);
  if (stderr !== '') channel.stderr.write(stderr);
  channel.exit(code);
  channel.end();
}

async function runGit(
  channel: ServerChannel,
  { service }: SshCommand,
  { session, args, environment, hookSocket }: Opened,
  link: ServerLink,
): Promise<void> {
  const git = spawn('git', args, {
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe', hookSocket === null ? 'ignore' : 'pipe'],
  });
  const exit = once(git, 'exit') as Promise<[number | null]>;
  const [stdin, stdout, stderr, hook] = git.stdio as unknown as [
    Duplex,
    Readable,
    Readable,
    Duplex | null,
  ];
  if (hookSocket !== null && hook) connectHook(hook, hookSocket, session);
  const push = service === 'git-receive-pack' ? pushOutput(stdout) : null;
  const output = push?.stream ?? stdout;
  let complaint = '';
  stderr.on('data', (chunk: Buffer) => {
    if (complaint.length < maxStderr) complaint += chunk.toString();
  });
  let received = 0;
  let isOver = false;
  const leave = () => {
    if (isOver) return;
    isOver = true;
    link.tell({ type: 'gone', session });
    endGit(git, stdin, service);
    output.resume();
  };
  const forget = link.onEnd(session, () => {
    if (isOver) return;
    leave();
    output.unpipe(channel);
    void finish(channel, 1, { stderr: accessEnded });
  });
  const watchdog = setTimeout(() => {
    leave();
    // it may wait for a server that does not answer
    hook?.destroy();
  }, stalledAfter);
  channel.on('data', (chunk: Buffer) => {
    watchdog.refresh();
    received += chunk.length;
    if (service !== 'git-receive-pack' && received > maxFetchRequest) leave();
  });
  output.on('data', () => watchdog.refresh());
  stdin.on('error', () => {});
  channel.pipe(stdin);
  output.pipe(channel, { end: false });
  channel.once('close', leave);
  const drained = once(output, 'close');
  const [code] = await exit;
  await drained;
  clearTimeout(watchdog);
  forget();
  const lines = await link.ask('close', { session });
  const isGone = isOver;
  isOver = true;
  // no client learns where the repository is
  const text = complaint.replaceAll(args.at(-1) ?? '', 'the repository');
  const rest = push?.end(code === 0 ? lines : []);
  if (!isGone) await finish(channel, code ?? 1, { stdout: rest, stderr: text });
}

/** On a signal receive-pack would leave its quarantine behind; at the end of input it stops by itself. */
function endGit(git: ChildProcess, stdin: Duplex, service: SshCommand['service']): void {
  stdin.end();
  if (service !== 'git-receive-pack') git.kill('SIGTERM');
}

/** Connects the hook of a push with the server, which knows its session by the first line. */
function connectHook(hook: Duplex, path: string, session: string): void {
  const socket = connect(path);
  socket.write(`${session}\n`);
  // either may end first
  for (const end of [hook, socket]) end.on('error', () => {});
  hook.pipe(socket).pipe(hook);
}
