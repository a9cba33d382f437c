import { type SshService, sshServices } from './messages.ts';

/** A command that a client may run. */
export interface SshCommand {
  readonly service: SshService;
  /** As the client wrote it, without quotes. */
  readonly path: string;
}

/** Characters; a path of a project has at most 2048. */
const longestCommand = 4_096;

const shape = /^git[- ](upload-pack|receive-pack|upload-archive) (?:'([^']*)'|([^'" ]+))$/;

/** Parses the command of a client; null if it is none of git's. */
export function readCommand(text: string): SshCommand | null {
  if (text.length > longestCommand) return null;
  const [, program, quoted, bare] = shape.exec(text) ?? [];
  const service = sshServices.find((name) => name === `git-${program}`);
  const path = quoted ?? bare;
  return service && path !== undefined ? { service, path } : null;
}

/** A request for the token of LFS, which git-lfs makes before it connects over HTTP. */
export interface LfsCommand {
  readonly path: string;
  readonly operation: 'download' | 'upload';
}

const lfsShape = /^git-lfs-authenticate (?:'([^']*)'|([^'" ]+)) (download|upload)$/;

/** Parses the command of git-lfs; null if it is another one. */
export function readLfsCommand(text: string): LfsCommand | null {
  if (text.length > longestCommand) return null;
  const [, quoted, bare, operation] = lfsShape.exec(text) ?? [];
  const path = quoted ?? bare;
  return path !== undefined && operation !== undefined
    ? { path, operation: operation === 'upload' ? 'upload' : 'download' }
    : null;
}

/** The full path of the repository in a path of a client, such as `/tools/app.git`. */
export const repositoryPath = (path: string): string =>
  path
    .replace(/^\//, '')
    .replace(/\/$/, '')
    .replace(/\.git$/, '');
