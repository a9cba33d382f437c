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

/** The full path of the repository in a path of a client, such as `/tools/app.git`. */
export const repositoryPath = (path: string): string =>
  path
    .replace(/^\//, '')
    .replace(/\/$/, '')
    .replace(/\.git$/, '');
