import pLimit from 'p-limit';
import {
  type IRateLimiterPostgresOptions,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Database } from '../../prisma/client.ts';
import type { SignInAttempt, SignInLimits, Verdict } from '../../schema/ports/sign-in-limits.ts';
import { networkOf } from './network.ts';
import { isFamiliar, noteNetwork } from './sign-in-networks.ts';

/** Window in seconds for counting failures, starting with the first. */
const window = 600;

const perAccount = 10;
/** Failures at one account from all unfamiliar addresses together, before it is throttled. */
const perAccountAnywhere = 30;
/** Seconds between attempts from unfamiliar addresses at a throttled account. */
const pause = 15;
/** Many users may share one address. */
const perAddress = 100;
/** Programs repeat expired tokens, and guessing a token is hopeless. */
const wrongTokensPerAddress = 1000;
const signUpsPerAddress = 20;

/** Attempts in progress: enough for users who sign in concurrently. */
const atOnce = 4;
const waitingAtMost = 256;
const keysWaitingAtMost = 4096;

/** Limits failed sign-ins by counts in the database, which all processes share. */
export function signInLimits(db: Database): SignInLimits {
  const limiter = (keyPrefix: string, points: number, more: LimiterOptions = {}) =>
    new RateLimiterPostgres({
      storeClient: { query: (query: Query) => run(db, query) },
      storeType: 'client',
      tableName: 'sign_in_attempts',
      tableCreated: true,
      keyPrefix,
      points,
      duration: window,
      // its timer would never stop: `deleteExpiredAttempts` runs in its place
      clearExpiredByTimeout: false,
      ...more,
    });
  // the key of a password attempt combines account and address
  const accounts = limiter('account', perAccount);
  const anywhere = limiter('anywhere', perAccountAnywhere);
  const pauses = limiter('pause', 1, { duration: pause });
  const addresses = limiter('address', perAddress);
  const tokens = limiter('token', wrongTokensPerAddress, {
    // from then on wrong tokens of that address cause no write
    inMemoryBlockOnConsumed: wrongTokensPerAddress + 1,
  });
  const signUps = limiter('sign-up', signUpsPerAddress);
  const here = pLimit(atOnce);
  const elsewhere = pLimit(atOnce);
  const keys = pLimit(atOnce);

  /** Counts an attempt from an unfamiliar address; after many, admits one at a time. */
  const waitWhileAttacked = async (account: string): Promise<number> =>
    (await waitOf(anywhere, account)) > 0 ? waitOf(pauses, account) : 0;

  const judgeKey = async (network: string, isRight: () => Promise<boolean>): Promise<Verdict> => {
    if (await isRight()) return { isRight: true };
    const retryAfter = await waitOf(addresses, network);
    return retryAfter > 0 ? { retryAfter } : { isRight: false };
  };

  const judgeGuess = async (
    { kind, account, userId }: SignInAttempt,
    network: string,
    isRight: () => Promise<boolean>,
  ): Promise<Verdict> => {
    const isPassword = kind === 'password';
    const key = isPassword ? `${account} ${network}` : account;
    const waits = await Promise.all([waitOf(accounts, key), waitOf(addresses, network)]);
    let retryAfter = Math.max(...waits);
    const isKnown = !isPassword || (userId ? await isFamiliar(db, userId, network) : false);
    if (retryAfter === 0 && !isKnown) retryAfter = await waitWhileAttacked(account);
    if (retryAfter > 0) return { retryAfter };
    if (!(await isRight())) return { isRight: false };
    await Promise.all([
      accounts.delete(key),
      addresses.reward(network),
      ...(isKnown ? [] : [anywhere.reward(account)]),
    ]);
    return { isRight: true };
  };

  /** Counted before it is checked: it may be a password. */
  const judgeToken = async (network: string, isRight: () => Promise<boolean>): Promise<Verdict> => {
    const retryAfter = await waitOf(tokens, network);
    if (retryAfter > 0) return { retryAfter };
    if (!(await isRight())) return { isRight: false };
    await tokens.reward(network);
    return { isRight: true };
  };

  return {
    judge: async (attempt, isRight) => {
      const isKey = attempt.kind === 'key';
      const limit = isKey ? keys : attempt.isAskedElsewhere ? elsewhere : here;
      const most = isKey ? keysWaitingAtMost : waitingAtMost;
      if (limit.pendingCount >= most) return { retryAfter: 1 };
      const network = networkOf(attempt.address);
      return limit(() => {
        if (isKey) return judgeKey(network, isRight);
        return attempt.kind === 'token'
          ? judgeToken(network, isRight)
          : judgeGuess(attempt, network, isRight);
      });
    },
    remember: (userId, address) => noteNetwork(db, userId, networkOf(address)),
    countWrongToken: (address) => waitOf(tokens, networkOf(address)),
    waitToSignUp: (address) => waitOf(signUps, networkOf(address)),
  };
}

/** Milliseconds after the end of a window: the clocks of two machines may differ. */
const keptAfterEnd = 3_600_000;

/** Deletes the counts of attempts whose window ended an hour ago. */
export async function deleteExpiredAttempts(db: Database): Promise<void> {
  await db.signInAttempt.deleteMany({ where: { expire: { lt: Date.now() - keptAfterEnd } } });
}

type LimiterOptions = Partial<
  Pick<IRateLimiterPostgresOptions, 'duration' | 'inMemoryBlockOnConsumed'>
>;

interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The limiter calculates with numbers and reads 64-bit columns as such. */
async function run(db: Database, { text, values }: Query) {
  const raw = await db.$queryRawUnsafe<Record<string, unknown>[]>(text, ...values);
  const rows = raw.map((row) => ('expire' in row ? { ...row, expire: Number(row.expire) } : row));
  return { rows, rowCount: rows.length };
}

/** Counts an attempt; returns the seconds to wait when the limit is exceeded, else 0. */
async function waitOf(limiter: RateLimiterPostgres, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    return Math.max(Math.ceil(refused.msBeforeNext / 1000), 1);
  }
}
