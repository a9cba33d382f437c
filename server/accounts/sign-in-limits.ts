import pLimit from 'p-limit';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../../prisma/client.ts';
import type { SignInLimits } from '../../schema/ports/sign-in-limits.ts';
import { networkOf } from './network.ts';

/** Seconds in which failures are added up, and after the first of which a door opens again. */
const window = 600;

const perAccount = 10;
/** Many people may share one address. */
const perAddress = 100;
const signUpsPerAddress = 20;

/** Attempts counted but not judged yet: few, so that people who sign in side by side are not refused. */
const atOnce = 4;
const waitingAtMost = 256;
const keysWaitingAtMost = 4096;

/** Failed sign-ins, counted in the database: every process sees the same numbers. */
export function signInLimits(db: Database): SignInLimits {
  const limiter = (keyPrefix: string, points: number) =>
    new RateLimiterPostgres({
      storeClient: { query: (query: Query) => run(db, query) },
      storeType: 'client',
      tableName: 'sign_in_attempts',
      tableCreated: true,
      keyPrefix,
      points,
      duration: window,
    });
  const accounts = limiter('account', perAccount);
  const addresses = limiter('address', perAddress);
  const signUps = limiter('sign-up', signUpsPerAddress);
  const here = pLimit(atOnce);
  const elsewhere = pLimit(atOnce);
  const keys = pLimit(atOnce);

  return {
    judge: async ({ account, address, isAskedElsewhere, isKey }, isRight) => {
      const limit = isKey ? keys : isAskedElsewhere ? elsewhere : here;
      const most = isKey ? keysWaitingAtMost : waitingAtMost;
      if (limit.pendingCount >= most) return { retryAfter: 1 };
      const network = networkOf(address);
      return limit(async () => {
        const waits = await Promise.all([waitOf(accounts, account), waitOf(addresses, network)]);
        const retryAfter = Math.max(...waits);
        if (retryAfter > 0) return { retryAfter };
        if (!(await isRight())) return { isRight: false };
        await Promise.all([accounts.delete(account), addresses.reward(network)]);
        return { isRight: true };
      });
    },
    waitToSignUp: (address) => waitOf(signUps, networkOf(address)),
  };
}

interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The limiter reckons with numbers, and reads a column of 64 bits as one. */
async function run(db: Database, { text, values }: Query) {
  const found = await db.$queryRawUnsafe<Record<string, unknown>[]>(text, ...values);
  const rows = found.map((row) => ('expire' in row ? { ...row, expire: Number(row.expire) } : row));
  return { rows, rowCount: rows.length };
}

/** Counts one; seconds to wait when that was too many, else 0. */
async function waitOf(limiter: RateLimiterPostgres, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    return Math.max(Math.ceil(refused.msBeforeNext / 1000), 1);
  }
}
