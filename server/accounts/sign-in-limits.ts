import {
  type IRateLimiterPostgresOptions,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Database } from '../../prisma/client.ts';
import type {
  CheckGuess,
  SignInAttempt,
  SignInLimits,
  Verdict,
} from '../../schema/ports/sign-in-limits.ts';
import { fairQueue } from '../queueing/fair-queue.ts';
import { QueueRefusal } from '../queueing/refusal.ts';
import { networkOf } from '../scheduling/network.ts';
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

/**
 * Attempts in progress, enough for users who sign in concurrently, and those that wait. Networks take
 * turns, so that one with many attempts neither delays the others nor fills the queue.
 */
const queueLimits = {
  running: 4,
  runningPerCaller: 3,
  waiting: 4096,
  waitingPerCaller: 256,
  waitLimit: 60_000,
};
const keysWaitingPerNetwork = 1024;

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
  const here = fairQueue(queueLimits);
  const elsewhere = fairQueue(queueLimits);
  const keys = fairQueue({ ...queueLimits, waitingPerCaller: keysWaitingPerNetwork });

  /** Counts an attempt from an unfamiliar address; after many, admits one at a time. */
  const waitWhileAttacked = async (account: string): Promise<number> =>
    (await waitOf(anywhere, account)) > 0 ? waitOf(pauses, account) : 0;

  const judgeKey = async (network: string, isRight: () => Promise<boolean>): Promise<Verdict> => {
    if (await isRight()) return { isRight: true };
    const retryAfter = await waitOf(addresses, network);
    return retryAfter > 0 ? { retryAfter } : { isRight: false };
  };

  /** Counts an attempt at an account. A code is counted by network only where the user is known. */
  const countAttempt = async (
    { kind, account, userId }: Pick<SignInAttempt, 'kind' | 'account' | 'userId'>,
    network: string,
  ) => {
    const isKnown = userId ? await isFamiliar(db, userId, network) : false;
    const key = kind === 'password' || isKnown ? `${account} ${network}` : account;
    return { account, key, isKnown, wait: await waitOf(accounts, key) };
  };

  const judgeGuess = async (
    attempt: SignInAttempt,
    network: string,
    check: CheckGuess,
  ): Promise<Verdict> => {
    const [first, wait] = await Promise.all([
      countAttempt(attempt, network),
      waitOf(addresses, network),
    ]);
    const counted = [first];
    let retryAfter = Math.max(first.wait, wait);
    if (retryAfter === 0 && !first.isKnown) retryAfter = await waitWhileAttacked(first.account);
    if (retryAfter > 0) return { retryAfter };
    const isRight = await check(async (owner) => {
      const found = await countAttempt({ kind: attempt.kind, ...owner }, network);
      counted.push(found);
      retryAfter = found.wait;
      if (retryAfter === 0 && !found.isKnown) retryAfter = await waitWhileAttacked(found.account);
      return retryAfter === 0;
    });
    if (retryAfter > 0) return { retryAfter };
    if (!isRight) return { isRight: false };
    await Promise.all([
      addresses.reward(network),
      ...counted.map(({ key }) => accounts.delete(key)),
      ...counted.flatMap(({ isKnown, account }) => (isKnown ? [] : [anywhere.reward(account)])),
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
    judge: async (attempt, check) => {
      const isKey = attempt.kind === 'key';
      const queue = isKey ? keys : attempt.isAskedElsewhere ? elsewhere : here;
      const network = networkOf(attempt.address);
      const leave = await queue.enter(network).catch(ignoreRefusal);
      if (!leave) return { retryAfter: 1 };
      const isRight = () => check(async () => true);
      try {
        if (isKey) return await judgeKey(network, isRight);
        if (attempt.kind === 'token') return await judgeToken(network, isRight);
        return await judgeGuess(attempt, network, check);
      } finally {
        leave();
      }
    },
    remember: (userId, address) => noteNetwork(db, userId, networkOf(address)),
    countWrongToken: (address) => waitOf(tokens, networkOf(address)),
    waitToSignUp: (address) => waitOf(signUps, networkOf(address)),
  };
}

function ignoreRefusal(error: unknown): null {
  if (error instanceof QueueRefusal) return null;
  throw error;
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
