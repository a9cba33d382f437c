import type { Passwords } from '../schema/ports/passwords.ts';
import { argon2Passwords, passwordsAtOnce, passwordsWaiting } from './accounts/passwords.ts';
import { turnsOf } from './scheduling/heavy-work.ts';

/** Hashes in turns of their callers. Other work does not delay sign-ins, and sign-ins do not delay it. */
export const passwordsInTurn = (): Passwords =>
  argon2Passwords(
    turnsOf('passwords', passwordsAtOnce, {
      limits: { waiting: passwordsWaiting },
      isCounted: false,
    }),
  );
