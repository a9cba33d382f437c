import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const spawnerProgram = fileURLToPath(new URL('spawner-program.ts', import.meta.url));
const poolSize = 48;
/** The less memory the program uses, the faster it starts children. */
const smallHeapOption = '--max-semi-space-size=1';

/** Starts the program that starts git; it connects prepared sockets to `path`. */
export const startSpawnerProgram = (path: string): ChildProcess =>
  spawn(process.execPath, [smallHeapOption, spawnerProgram, path, String(poolSize)], {
    env: {},
    stdio: ['pipe', 'pipe', 'inherit'],
  });
