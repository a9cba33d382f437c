import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

/*
 * `npm run test:deployments [-- files…]`: the tests of REST, SOAP and git, with each server as two workers
 * behind PgBouncer in transaction mode with an S3-compatible store, and the tests of these parts. Not part of `npm test`: each test
 * file starts three processes.
 */

const { status: prepared } = spawnSync(
  process.execPath,
  ['test/support/prepare.ts', '/usr/sbin/pgbouncer=pgbouncer'],
  { stdio: 'inherit' },
);
if (prepared !== 0) process.exit(prepared ?? 1);
const vitest = spawn(
  'vitest',
  ['run', '--config', 'test/deployments/vitest.config.ts', ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
const [status] = (await once(vitest, 'exit')) as [number | null];
process.exit(status ?? 1);
