import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { noteOutput, noteSecrets } from './logged-secrets.ts';

/** The service as operators run it: a process of its own, in a process group of its own. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** Everything it wrote to standard output and error. */
  readonly output: () => string;
  /** Sends a signal to node alone, or to its whole group; resolves when node is gone. */
  readonly kill: (signal: NodeJS.Signals, whom?: 'node' | 'group') => Promise<number | null>;
}

export const rootToken = 'root-token-0123456789';

/**
 * Starts `node server/main.ts` with `flags` of node and resolves when it is ready; throws with its
 * output when it ends.
 */
export async function startProcess(
  port: number,
  variables: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<ServerProcess> {
  noteSecrets({ token: rootToken });
  const child = spawn(
    process.execPath,
    [...flags, fileURLToPath(new URL('../../server/main.ts', import.meta.url))],
    {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH ?? '',
        PORT: String(port),
        MILLRACE_ROOT_TOKEN: rootToken,
        MILLRACE_ROOT_PASSWORD: 'correct horse battery',
        ...variables,
      },
    },
  );
  let output = '';
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const isReady = new Promise<boolean>((resolve) => {
    const listen = (chunk: Buffer) => {
      output += chunk.toString();
      noteOutput(chunk.toString());
      if (output.includes('"msg":"ready"')) resolve(true);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    ended.then(() => resolve(false));
  });
  if (!(await isReady)) throw new Error(output);
  return {
    child,
    url: `http://localhost:${port}`,
    output: () => output,
    kill: async (signal, whom = 'node') => {
      const { pid = 0 } = child;
      if (child.exitCode === null && child.signalCode === null) {
        process.kill(whom === 'group' ? -pid : pid, signal);
      }
      const [code] = await ended;
      return code;
    },
  };
}
