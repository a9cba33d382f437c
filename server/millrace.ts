#!/usr/bin/env node
import process from 'node:process';
import { serve } from './serve.ts';

// only the account of the service may read the files that a command writes
process.umask(0o077);

const [command, ...rest] = process.argv.slice(2);
// replaces this process at once: the parts of the other commands would only delay the start
if (command === 'serve') serve(rest, process.env);

const { runCommand } = await import('./commands/program.ts');
process.exitCode = await runCommand(process.argv.slice(2), process.env);
