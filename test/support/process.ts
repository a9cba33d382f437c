import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compileCache } from './compile-cache.ts';
import { recordOutput, recordSecrets } from './logged-secrets.ts';

/** The service as operators run it, in a child process with its own process group. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** Its standard output and error. */
  readonly output: () => string;
  /** Sends a signal to node alone, or to its whole group; resolves after node has exited. */
  readonly kill: (signal: NodeJS.Signals, target?: 'node' | 'group') => Promise<number | null>;
}

export const rootToken = 'root-token-0123456789';

const main = fileURLToPath(new URL('../../server/main.ts', import.meta.url));

/** Starts `node server/main.ts` with `flags` for node, as `startServerCommand` does. */
export const startProcess = (
  port: number,
  variables: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<ServerProcess> =>
  startServerCommand([process.execPath, ...flags, main], port, variables);

/** Starts a server by a command and resolves when it is ready; throws with its output if it exits first. */
export async function startServerCommand(
  [program = '', ...args]: readonly string[],
  port: number,
  variables: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  recordSecrets({ token: rootToken });
  const child = spawn(program, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      ...compileCache(),
      PORT: String(port),
      MILLRACE_SSH_PORT: 'off',
      MILLRACE_ROOT_TOKEN: rootToken,
      MILLRACE_ROOT_PASSWORD: 'correct horse battery',
      ...variables,
    },
  });
  let output = '';
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const isReady = new Promise<boolean>((resolve) => {
    const listen = (chunk: Buffer) => {
      output += chunk.toString();
      recordOutput(chunk.toString());
      if (output.includes('"msg":"ready"')) resolve(true);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    exit.then(() => resolve(false));
  });
  if (!(await isReady)) throw new Error(output);
  return {
    child,
    url: `http://localhost:${port}`,
    output: () => output,
    kill: async (signal, target = 'node') => {
      const { pid = 0 } = child;
      if (child.exitCode === null && child.signalCode === null) {
        process.kill(target === 'group' ? -pid : pid, signal);
      }
      const [code] = await exit;
      return code;
    },
  };
}
