import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compileCache } from './compile-cache.ts';

/** What a command of administrators printed, and its exit code. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const program = fileURLToPath(new URL('../../server/millrace.ts', import.meta.url));

/** Runs `millrace` with these variables as operators do; `input` is its standard input. */
export function commandsOf(variables: Readonly<Record<string, string>>) {
  /** Starts a command; `result` is what it printed by its end. */
  const start = (args: readonly string[], input = '') => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env.PATH ?? '', ...compileCache(), ...variables },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk;
    });
    child.stdin.end(input);
    const result = once(child, 'close').then(
      ([code]): CommandResult => ({ code: code as number, stdout, stderr }),
    );
    return { child, result };
  };
  const run = (args: readonly string[], input?: string): Promise<CommandResult> =>
    start(args, input).result;
  /** The JSON that a command prints; throws with its messages if it fails. */
  const json = async (args: readonly string[], input?: string): Promise<unknown> => {
    const { code, stdout, stderr } = await run([...args, '--json'], input);
    if (code !== 0) throw new Error(`${args.join(' ')}: exit code ${code}: ${stderr}`);
    return JSON.parse(stdout);
  };
  return { run, start, json };
}
