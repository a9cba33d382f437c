#!/usr/bin/env node
import process from 'node:process';
import { runCommand } from './commands/program.ts';

// only the account of the service may read the files that a command writes
process.umask(0o077);

process.exitCode = await runCommand(process.argv.slice(2), process.env);
