#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import process from 'node:process';
import { serve, serverProcess } from './serve.ts';

// only the account of the service may read the files that a command writes
process.umask(0o077);

const [command, ...rest] = process.argv.slice(2);
// replaces this process at once: the parts of the other commands would only delay the start
if (command === 'serve') serve(rest, process.env);

// reading the modules is most of the time of a short command
enableCompileCache(serverProcess.defaults.NODE_COMPILE_CACHE);
const { runCommand } = await import('./commands/program.ts');
process.exitCode = await runCommand(process.argv.slice(2), process.env);
