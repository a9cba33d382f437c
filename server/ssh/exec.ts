import type { ServerChannel } from 'ssh2';
import { packetLine } from '../git-http/protocol.ts';
import {
  type LfsCommand,
  readCommand,
  readLfsCommand,
  repositoryPath,
  type SshCommand,
} from './command.ts';
import { finish } from './finish.ts';
import type { ServerLink } from './link.ts';
import type { Identity } from './messages.ts';
import { type GitClient, GitNotStarted, runGit } from './run-git.ts';

interface ExecInput {
  readonly identity: Identity;
  readonly address: string;
  readonly command: string;
  /** The protocol of git that the client asks for. */
  readonly protocol: string | null;
}

const notStarted = 'Git is not available. Try again in 10 seconds.';

const unknownCommand = `Only git may be used: git-upload-pack, git-receive-pack and git-upload-archive.\n`;

/** Runs the command of a client, if the server permits it; resolves once it has ended. */
export async function runCommand(
  gitClient: GitClient,
  { command, ...client }: ExecInput,
): Promise<void> {
  const { channel, link } = gitClient;
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
    await runGit(parsed, opened, gitClient);
  } catch (error) {
    await link.ask('close', { session: opened.session });
    if (!(error instanceof GitNotStarted)) throw error;
    link.tell({ type: 'fault', message: 'git could not be started' });
    return refuse(channel, parsed, notStarted);
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
