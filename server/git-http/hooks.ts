import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Runs in `git receive-pack` for each push, before references are updated. It sends everything to
 * the server over the socket inherited as descriptor 3, and accepts the push only on `ok`. An
 * option with a line break, which git does not send, is left out: its lines could pass for others.
 */
const preReceiveScript = `#!/bin/sh
newline='
'
{
  printf 'quarantine %s\\n' "$GIT_OBJECT_DIRECTORY"
  index=0
  while [ "$index" -lt "\${GIT_PUSH_OPTION_COUNT:-0}" ]; do
    eval "option=\\$GIT_PUSH_OPTION_$index"
    case $option in
      *"$newline"*) ;;
      *) printf 'option %s\\n' "$option" ;;
    esac
    index=$((index + 1))
  done
  while IFS= read -r line; do printf '%s\\n' "$line"; done
  echo end
} >&3 || exit 1
while IFS= read -r line <&3; do
  case $line in
    ok) exit 0 ;;
    no) exit 1 ;;
    '> '*) printf '%s\\n' "\${line#> }" >&2 ;;
    *) exit 1 ;;
  esac
done
exit 1
`;

/** Writes the hooks into `folder`, which belongs to the server; returns the folder for git. */
export async function installHooks(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const fresh = join(folder, `pre-receive.${process.pid}`);
  await writeFile(fresh, preReceiveScript);
  await chmod(fresh, 0o555);
  // another server process may be running the existing file
  await rename(fresh, join(folder, 'pre-receive'));
  return folder;
}
