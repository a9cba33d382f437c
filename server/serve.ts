import process from 'node:process';
import { fileURLToPath } from 'node:url';

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** How the server runs in production: what Node gets before the program. */
export const serverProcess = {
  flags: ['--max-semi-space-size=16', '--max-old-space-size=384'],
  /** Variables that are always set. */
  variables: { NODE_ENV: 'production' },
  /** Variables that the environment may set otherwise. */
  defaults: {
    NODE_COMPILE_CACHE: pathOf('../node_modules/.cache/millrace'),
    MALLOC_ARENA_MAX: '2',
    // syncs of files use a part of them (disk/files.ts)
    UV_THREADPOOL_SIZE: '8',
  },
} as const;

/** Replaces this process by the server: signals reach it as if it had been started directly. */
export function serve(args: readonly string[], environment: NodeJS.ProcessEnv): never {
  const { flags, variables, defaults } = serverProcess;
  const { execve } = process;
  if (!execve) throw new Error('Windows has no `millrace serve`: run node server/main.ts.');
  const command = [process.execPath, ...flags, pathOf('main.ts'), ...args];
  const entries = Object.entries({ ...defaults, ...environment, ...variables });
  return execve(process.execPath, command, Object.fromEntries(entries));
}
