import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../../prisma/client.ts';
import type { SignInLimits } from '../../schema/ports/sign-in-limits.ts';

/** Seconds in which failures are added up, and for which a door stays closed. */
const window = 600;

const perAccount = 10;
/** Many people may share one address. */
const perAddress = 100;

/** Failed sign-ins, counted in the database: every process sees the same numbers. */
export function signInLimits(db: Database): SignInLimits {
  const limiter = (keyPrefix: string, points: number) =>
    new RateLimiterPostgres({
      storeClient: {
        query: async ({ text, values }: { text: string; values: unknown[] }) => ({
          rows: await db.$queryRawUnsafe(text, ...values),
        }),
      },
      storeType: 'client',
      tableName: 'sign_in_attempts',
      tableCreated: true,
      keyPrefix,
      points,
      duration: window,
    });
  const accounts = limiter('account', perAccount);
  const addresses = limiter('address', perAddress);
  return {
    attempt: async (account, address) => {
      const waits = await Promise.all([
        waitOf(accounts, accountKey(account)),
        waitOf(addresses, address),
      ]);
      return waits.reduce(
        (longest, wait) => (wait !== null && wait > (longest ?? 0) ? wait : longest),
        null,
      );
    },
    succeeded: async (account, address) => {
      await Promise.all([accounts.delete(accountKey(account)), addresses.reward(address)]);
    },
  };
}

/** A key has room for 255 characters. */
const accountKey = (account: string) => account.toLowerCase().slice(0, 200);

async function waitOf(limiter: RateLimiterPostgres, key: string): Promise<number | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    return Math.max(Math.ceil(refused.msBeforeNext / 1000), 1);
  }
}
