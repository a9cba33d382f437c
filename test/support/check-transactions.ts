import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { afterAll, expect } from 'vitest';
import { PrismaClient } from '../../prisma/generated/client/client.ts';

/*
 * A statement outside of the transaction that surrounds it needs a second connection: as many such callers
 * at a time as the pool has connections wait for each other, and every request waits with them. Servers in
 * the test's process are watched for them.
 */

interface Watched {
  $transaction(work: unknown, ...rest: unknown[]): unknown;
  connect(...args: unknown[]): unknown;
}

interface WatchedPool extends Watched {
  readonly options: { readonly application_name?: string };
}

const insideTransaction = new AsyncLocalStorage<true>();
let violations: string[] = [];

const clients = (PrismaClient as unknown as { prototype: Watched }).prototype;
const pools = pg.Pool.prototype as unknown as WatchedPool;
const { $transaction } = clients;
const { connect } = pools;

clients.$transaction = function watched(this: Watched, work: unknown, ...rest: unknown[]) {
  // a test may use the service while it holds a lock itself
  const isOfService = /\/(?:schema|server)\//.test(new Error('begun').stack ?? '');
  const marked =
    isOfService && typeof work === 'function'
      ? (tx: unknown) => insideTransaction.run(true, () => work(tx))
      : work;
  return Reflect.apply($transaction, this, [marked, ...rest]);
};

pools.connect = function watched(this: WatchedPool, ...args: unknown[]) {
  // the queue has a pool of its own
  if (insideTransaction.getStore() && this.options.application_name === 'millrace') {
    violations.push(String(new Error('a statement outside of its transaction').stack));
  }
  return Reflect.apply(connect, this, args);
};

afterAll(() => {
  clients.$transaction = $transaction;
  pools.connect = connect;
  const seen = violations;
  violations = [];
  expect(seen, 'statements outside of their transactions').toEqual([]);
});
