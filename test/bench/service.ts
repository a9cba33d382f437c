import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serverProcess } from '../../server/serve.ts';

const packageRoot = fileURLToPath(new URL('../..', import.meta.url));

/** A Millrace program in a child process. */
export interface Program {
  readonly pid: number;
  /** Shuts it down cleanly; throws if it has already exited. */
  stop(): Promise<void>;
}

export interface Service extends Program {
  /** The address it listens on and uses in links, without a trailing slash. */
  readonly url: string;
  readonly sshPort: number;
  readonly databaseUrl: string;
  readonly dataFolder: string;
}

export const rootToken = 'root-token-0123456789';
export const rootPassword = 'correct horse battery';

/** A free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a program below the package's root; its output goes to `log`. Ready when `url` responds. */
export async function startProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { url, log }: { readonly url: string; readonly log: string },
): Promise<Program> {
  const output = openSync(log, 'a');
  const child = spawn(process.execPath, args, {
    cwd: packageRoot,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', ...environment },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const exit = once(child, 'exit');
  await untilResponding(url, child, log);
  return {
    pid: child.pid as number,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) throw exitedError(log);
      child.kill('SIGTERM');
      await exit;
    },
  };
}

/** Waits for any response from `url`; throws with the log if `child` exits first. */
export async function untilResponding(url: string, child: ChildProcess, log: string) {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw exitedError(log);
    const response = await fetch(url).catch(() => null);
    await response?.arrayBuffer();
    if (response) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until `port` accepts connections; throws with the log if `child` exits first. */
export async function untilListening(port: number, child: ChildProcess, log: string) {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw exitedError(log);
    const socket = connect(port, '127.0.0.1');
    const isListening = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isListening) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const exitedError = (log: string) =>
  new Error(`a program has ended:\n${readFileSync(log, 'utf8')}`);

/** The real server with its embedded database, as an operator starts it, all data in `folder`. */
export async function startService(folder: string, flags: readonly string[]): Promise<Service> {
  const port = await freePort();
  const sshPort = await freePort();
  const url = `http://localhost:${port}`;
  const dataFolder = join(folder, 'data');
  const { flags: usual, variables, defaults } = serverProcess;
  const program = await startProgram(
    [...usual, ...flags, 'server/main.ts'],
    {
      PORT: String(port),
      MILLRACE_SSH_PORT: String(sshPort),
      MILLRACE_DATA: dataFolder,
      MILLRACE_ROOT_TOKEN: rootToken,
      MILLRACE_ROOT_PASSWORD: rootPassword,
      // hooks are sent to endpoints on loopback
      MILLRACE_ALLOW_LOCAL_REQUESTS: 'on',
      // so that one machine can send requests from many addresses
      MILLRACE_TRUSTED_PROXIES: '127.0.0.0/8,::1',
      ...defaults,
      ...variables,
    },
    { url: `${url}/-/readiness`, log: join(folder, 'server.log') },
  );
  const { sockets } = JSON.parse(await readFile(join(dataFolder, 'postgres/owner.json'), 'utf8'));
  const query = new URLSearchParams({ host: sockets, port: '5432' });
  const databaseUrl = `postgresql://millrace@/millrace?${query}`;
  return { ...program, url, sshPort, databaseUrl, dataFolder };
}
