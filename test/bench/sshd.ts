import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { type SshKeyPair, sshKeyPair } from '../support/ssh.ts';
import { backendEnvironment } from './backend.ts';
import { installPackages } from './cgi-site.ts';
import { freePort, type Program, untilListening } from './service.ts';

/** OpenSSH's server with git-shell, for the repositories in a folder. */
export interface Sshd extends Program {
  /** The start of an address; the path of a repository follows. */
  readonly url: string;
}

const program = '/usr/sbin/sshd';

/** Installs OpenSSH's server from Debian if it is missing. */
function install(): void {
  if (existsSync(program)) return;
  installPackages('openssh-server');
  if (!existsSync(program)) throw new Error('the SSH cases need the Debian package openssh-server');
}

/** Starts it below `folder` for the owner of `key`, who may run git-shell only, as hosts of git did before. */
export async function startSshd(folder: string, root: string, key: SshKeyPair): Promise<Sshd> {
  install();
  await mkdir(folder, { recursive: true });
  // sshd demands it; the service of Debian would create it
  await mkdir('/run/sshd', { recursive: true });
  const port = await freePort();
  const hostKey = await sshKeyPair(folder);
  const shell = join(folder, 'shell');
  const variables = Object.entries(backendEnvironment(root))
    .map(([name, value]) => `export ${name}='${value}'`)
    .join('\n');
  await writeFile(shell, `#!/bin/sh\n${variables}\nexec git-shell -c "$SSH_ORIGINAL_COMMAND"\n`);
  await chmod(shell, 0o755);
  const keys = join(folder, 'authorized_keys');
  await writeFile(keys, `restrict,command="${shell}" ${key.publicKey}\n`, { mode: 0o600 });
  const configuration = join(folder, 'sshd_config');
  await writeFile(
    configuration,
    `Port ${port}
ListenAddress 127.0.0.1
HostKey ${hostKey.file}
PidFile none
AuthorizedKeysFile ${keys}
StrictModes no
UsePAM no
PermitRootLogin yes
AcceptEnv GIT_PROTOCOL
`,
  );
  const log = openSync(join(folder, 'sshd.log'), 'a');
  const child = spawn(program, ['-D', '-e', '-f', configuration], {
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH ?? '' },
  });
  closeSync(log);
  const exit = once(child, 'exit');
  await untilListening(port, child, join(folder, 'sshd.log'));
  return {
    pid: child.pid as number,
    url: `ssh://${userInfo().username}@127.0.0.1:${port}${root}`,
    stop: async () => {
      child.kill('SIGTERM');
      await exit;
    },
  };
}
