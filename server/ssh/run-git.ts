import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { activityOf } from '../git/process/activity.ts';
import { pushOutput } from '../git-http/side-band.ts';
import type { SshCommand } from './command.ts';
import { finish } from './finish.ts';
import type { SshLimits } from './limits.ts';
import type { ServerLink } from './link.ts';
import type { Opened } from './messages.ts';
import { pushSilence, stalled, watchStall } from './silence.ts';
import { type ClientEnd, transfer } from './transfer.ts';

export interface GitClient extends ClientEnd {
  readonly link: ServerLink;
  readonly limits: SshLimits;
}

/** Git holds a fetch request in memory: wants and haves, some 50 bytes each. */
const maxFetchRequest = 64 * 2 ** 20;

const maxStderr = 8_192;

/** Milliseconds after which a process that ignores a signal is killed. */
const killAfter = 5_000;

/** Thrown if the system has no process, memory or file descriptor for git. */
export class GitNotStarted extends Error {}

const accessEnded = 'Your access to the project has ended.\n';

/** Runs git for a client; resolves once both have ended and a push is settled. */
export async function runGit(
  { service }: SshCommand,
  opened: Opened,
  client: GitClient,
): Promise<void> {
  const { session, args } = opened;
  const { channel, link, limits } = client;
  const isPush = service === 'git-receive-pack';
  const { git, stdin, stdout, hook, complaint } = startGit(opened);
  const exit = (once(git, 'exit') as Promise<[number | null]>).catch(() => {
    throw new GitNotStarted();
  });
  const push = isPush ? pushOutput(stdout) : null;
  const output = push?.stream ?? stdout;
  let received = 0;
  let isOver = false;
  const leave = () => {
    if (isOver) return;
    isOver = true;
    link.tell({ type: 'gone', session });
    endGit(git, stdin, isPush);
    copy.stop();
  };
  const refuse = (text: string) => {
    if (isOver) return;
    leave();
    // it may wait for a server that does not answer
    hook?.destroy();
    void finish(channel, 1, { stderr: text });
  };
  const silence = isPush ? pushSilence({ session, link, limits, refuse }) : null;
  const copy = transfer(client, { stdin, output }, (chunk) => {
    received += chunk.length;
    if (!isPush && received > maxFetchRequest) leave();
    const isPermitted = silence?.end() ?? !isOver;
    if (isPermitted !== true) watching.restart();
    return isPermitted;
  });
  const isWorking = activityOf(git.pid ?? 0);
  // the server decides on a push whose hook has spoken, and git waits for it
  let isDecided = false;
  hook?.once('data', () => {
    isDecided = true;
  });
  const isWaiting = () => !isDecided && (git.exitCode !== null || !isWorking());
  const watching = watchStall(limits.stall, { isWaiting, moved: copy.moved }, () => {
    if (silence && !copy.isUnread()) silence.go();
    else refuse(stalled);
  });
  const forget = link.onEnd(session, () => refuse(accessEnded));
  channel.once('close', leave);
  // while the command waited for a place
  if (channel.destroyed) leave();
  const drained = once(output, 'close');
  let code: number | null;
  try {
    [code] = await exit;
    await drained;
  } finally {
    watching.stop();
    forget();
  }
  const lines = await link.ask('close', { session });
  const isGone = isOver;
  isOver = true;
  // no client learns where the repository is
  const text = complaint().replaceAll(args.at(-1) ?? '', 'the repository');
  const rest = push?.end(code === 0 ? lines : []);
  if (!isGone) await finish(channel, code ?? 1, { stdout: rest, stderr: text });
}

function startGit({ session, args, environment, hookSocket }: Opened) {
  const git = spawn('git', args, {
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe', hookSocket === null ? 'ignore' : 'pipe'],
  });
  // there are no streams when the descriptors of this process are used up
  git.once('error', () => {});
  if (!git.stdio) throw new GitNotStarted();
  const [stdin, stdout, stderr, hook] = git.stdio as unknown as [
    Duplex,
    Readable,
    Readable,
    Duplex | null,
  ];
  if (hookSocket !== null && hook) connectHook(hook, hookSocket, session);
  let complaint = '';
  stderr.on('data', (chunk: Buffer) => {
    if (complaint.length < maxStderr) complaint += chunk.toString();
  });
  return { git, stdin, stdout, hook, complaint: () => complaint };
}

/** On a signal receive-pack would leave its quarantine behind; at the end of input it stops by itself. */
function endGit(git: ChildProcess, stdin: Duplex, isPush: boolean): void {
  stdin.end();
  if (isPush || git.exitCode !== null) return;
  git.kill('SIGTERM');
  const killing = setTimeout(() => git.kill('SIGKILL'), killAfter);
  git.once('exit', () => clearTimeout(killing));
}

/** Connects the hook of a push with the server, which knows its session by the first line. */
function connectHook(hook: Duplex, path: string, session: string): void {
  const socket = connect(path);
  socket.write(`${session}\n`);
  // either may end first
  for (const end of [hook, socket]) end.on('error', () => {});
  hook.pipe(socket).pipe(hook);
}
