import { accessSync, constants } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The shell for scripts: bash, or sh if there is no bash. */
export function shellOn(path: string): string {
  const folders = path.split(delimiter).filter((folder) => folder.startsWith('/'));
  for (const folder of [...folders, '/bin', '/usr/bin']) {
    try {
      const bash = join(folder, 'bash');
      accessSync(bash, constants.X_OK);
      return bash;
    } catch {
      // try the next folder
    }
  }
  return '/bin/sh';
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The command as it is printed; of a multi-line one the first line. */
function shown(command: string): string {
  const [first = '', ...others] = command.trimEnd().split('\n');
  return others.length > 0 ? `${first} # of several lines` : first;
}

/**
 * Builds the script of these commands: each is printed in green before it runs, and the first
 * failure ends the script with its status. All run in one shell.
 */
export const scriptOf = (commands: readonly string[], isTraced: boolean): string =>
  [
    // keep stdout and stderr in order
    'exec 2>&1',
    'set -e',
    'if (set -o pipefail) 2>/dev/null; then set -o pipefail; fi',
    ...(isTraced ? ['set -o xtrace'] : []),
    ...commands.flatMap((command) => [
      `printf '\\033[32;1m$ %s\\033[0;m\\n' ${quoted(shown(command))}`,
      command,
    ]),
    '',
  ].join('\n');

export async function writeScript(
  path: string,
  commands: readonly string[],
  isTraced: boolean,
): Promise<void> {
  await writeFile(path, scriptOf(commands, isTraced), { mode: 0o600, flag: 'wx' });
}
