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
  const run = async (args: readonly string[], input = ''): Promise<CommandResult> => {
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
    const [code] = (await once(child, 'close')) as [number];
    return { code, stdout, stderr };
  };
  /** The JSON that a command prints; throws with its messages if it fails. */
  const json = async (args: readonly string[], input?: string): Promise<unknown> => {
    const { code, stdout, stderr } = await run([...args, '--json'], input);
    if (code !== 0) throw new Error(`${args.join(' ')}: exit code ${code}: ${stderr}`);
    return JSON.parse(stdout);
  };
  return { run, json };
}
