import { Command } from 'commander';
import { rotateSigningKey } from '../../schema/oauth/signing-keys.ts';
import type { RunCommand } from './operator.ts';
import { type OutputOptions, printRecord } from './output.ts';

/** `millrace oauth …`. */
export function oauthCommands(run: RunCommand): Command {
  const group = new Command('oauth');
  group
    .command('rotate-key')
    .description('Sign ID tokens with a new key; valid ones can still be verified')
    .action((options: OutputOptions) =>
      run(async (operator) => {
        const { keyId, createdAt } = await rotateSigningKey(operator);
        printRecord({ key_id: keyId, created_at: createdAt.toISOString() }, options);
      }),
    );
  return group;
}
