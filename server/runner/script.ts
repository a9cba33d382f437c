import { accessSync, constants } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The shell that scripts are for: bash, or sh where there is none. */
export function shellOn(path: string): string {
  const folders = path.split(delimiter).filter((folder) => folder.startsWith('/'));
  for (const folder of [...folders, '/bin', '/usr/bin']) {
    try {
      const bash = join(folder, 'bash');
      accessSync(bash, constants.X_OK);
      return bash;
    } catch {
      // the next may have it
    }
  }
  return '/bin/sh';
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The command as it is shown before it runs: of several lines the first. */
function shown(command: string): string {
  const [first = '', ...others] = command.trimEnd().split('\n');
  return others.length > 0 ? `${first} # of several lines` : first;
}

/**
 * One script of these commands: each is shown, in green, before it runs, and the first that fails ends
 * it, with its status. What one sets, the next has.
 */
export const scriptOf = (commands: readonly string[], isTraced: boolean): string =>
  [
    // in the order in which it was printed
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

/** Writes a script where nobody else reads it. */
export async function writeScript(
  path: string,
  commands: readonly string[],
  isTraced: boolean,
): Promise<void> {
  await writeFile(path, scriptOf(commands, isTraced), { mode: 0o600, flag: 'wx' });
}
