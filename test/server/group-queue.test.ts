import { describe, expect, test } from 'vitest';
import { type Entrants, groupQueue, type QueueLimits } from '../../server/queueing/group-queue.ts';
import { type Entrant, together } from '../../server/queueing/pool.ts';

const usual: QueueLimits = {
  most: 4,
  guaranteed: 0,
  perCaller: 4,
  waiting: 100,
  waitingPerCaller: 100,
  waitLimit: Number.POSITIVE_INFINITY,
  weight: 1,
};

const limitsWith =
  (changes: Readonly<Record<string, Partial<QueueLimits>>>) => (group: string) => ({
    ...usual,
    ...changes.all,
    ...changes[group],
  });

type Options = Partial<Parameters<typeof groupQueue>[0]>;

/** A queue whose entries run until they are ended by name. */
function queueOf(options: Options = {}) {
  const queue = groupQueue({ places: 1, limitsOf: limitsWith({}), ...options });
  const leaves = new Map<string, () => void>();
  const started: string[] = [];
  const refused: string[] = [];

  const enter = (name: string, entrants: Entrants, signal?: AbortSignal) =>
    queue.admit(entrants, signal).then(
      ({ leave, entrant }) => {
        started.push(name);
        leaves.set(name, leave);
        return entrant;
      },
      (error: Error) => {
        refused.push(name);
        return error.message;
      },
    );
  return {
    queue,
    started,
    refused,
    enter: (name: string, group = 'all', caller = name, shares: Entrant['shares'] = []) =>
      enter(name, { current: [{ group, caller, shares }] }),
    enterShared: enter,
    end: async (name: string) => {
      await settled();
      leaves.get(name)?.();
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const one = (group: string, caller: string): Entrant => ({ group, caller, shares: [] });

describe('a group of callers', () => {
  test('starts its guaranteed number though another group holds all places', async () => {
    const { enter, started } = queueOf({
      places: 2,
      limitsOf: limitsWith({ all: { guaranteed: 1 } }),
    });
    for (const name of ['a', 'b', 'c', 'd']) void enter(name, 'anonymous');
    for (const name of ['x', 'y']) void enter(name, 'signed in');
    await settled();
    expect(started).toEqual(['a', 'b', 'x']);
  });

  test('never runs more than its limit', async () => {
    const { enter, started } = queueOf({
      places: 4,
      limitsOf: limitsWith({ anonymous: { most: 3 } }),
    });
    for (const name of ['a', 'b', 'c', 'd']) void enter(name, 'anonymous');
    void enter('x', 'signed in');
    await settled();
    expect(started).toEqual(['a', 'b', 'c', 'x']);
  });

  test('is served by its weight while others wait, and saves no turns while it does not wait', async () => {
    const { enter, end, started } = queueOf({
      limitsOf: limitsWith({ 'signed in': { weight: 2 } }),
    });
    void enter('first');
    for (const name of ['s1', 's2', 's3', 's4', 's5', 's6']) void enter(name, 'signed in');
    for (const name of ['first', 's1', 's2', 's3']) await end(name);
    expect(started).toEqual(['first', 's1', 's2', 's3', 's4']);
    for (const name of ['a1', 'a2', 'a3']) void enter(name, 'anonymous');
    for (const name of ['s4', 'a1', 's5', 's6', 'a2']) await end(name);
    expect(started.slice(5)).toEqual(['a1', 's5', 's6', 'a2', 'a3']);
  });
});

describe('a caller', () => {
  test('runs and waits with its own limits only', async () => {
    const limits = { perCaller: 1, waitingPerCaller: 2 };
    const { enter, started, refused } = queueOf({
      places: 4,
      limitsOf: limitsWith({ all: limits }),
    });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void enter(name, 'all', 'ada');
    void enter('b1', 'all', 'bob');
    await settled();
    expect(started).toEqual(['a1', 'b1']);
    expect(refused).toEqual(['a4', 'a5']);
  });

  test('takes turns with the others, however many entries they have', async () => {
    const { enter, end, started } = queueOf();
    for (const name of ['a1', 'a2', 'a3', 'a4']) void enter(name, 'all', 'ada');
    for (const name of ['b1', 'b2']) void enter(name, 'all', 'bob');
    for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) await end(name);
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
  });

  test('that waits behind is served when no other caller waits', async () => {
    const { enter, end, started } = queueOf({ isBehind: ({ caller }) => caller === 'slow' });
    void enter('a1', 'all', 'ada');
    for (const name of ['s1', 's2']) void enter(name, 'all', 'slow');
    for (const name of ['b1', 'b2']) void enter(name, 'all', 'bob');
    for (const name of ['a1', 'b1', 'b2', 's1']) await end(name);
    expect(started).toEqual(['a1', 'b1', 'b2', 's1', 's2']);
  });

  test('behind many that are at their limits starts at once', async () => {
    const { enter, end, started } = queueOf({
      places: 2,
      limitsOf: limitsWith({ all: { waiting: 1_000 } }),
    });
    const shares = [{ key: 'project', limit: 1 }];
    void enter('first', 'all', 'first', shares);
    void enter('second');
    for (let n = 0; n < 300; n += 1) void enter(`p${n}`, 'all', `p${n}`, shares);
    void enter('other');
    await end('second');
    expect(started).toEqual(['first', 'second', 'other']);
  });
});

describe('a full queue', () => {
  test('refuses the newest entry of the caller with the most for one with fewer', async () => {
    const { enter, started, refused, queue } = queueOf({
      limitsOf: limitsWith({ all: { waiting: 3 } }),
    });
    for (const name of ['a1', 'a2', 'a3', 'a4']) void enter(name, 'all', 'ada');
    for (const name of ['b1', 'c1']) void enter(name, 'all', name);
    await settled();
    expect(started).toEqual(['a1']);
    expect(refused).toEqual(['a4', 'a3']);
    void enter('d1');
    await settled();
    expect(refused).toEqual(['a4', 'a3', 'd1']);
    expect(queue.waiting()).toBe(3);
  });

  test('of one group has room for another', async () => {
    const { enter, refused } = queueOf({
      limitsOf: limitsWith({ all: { waiting: 1 } }),
    });
    for (const name of ['a1', 'a2', 'a3']) void enter(name, 'anonymous');
    void enter('s1', 'signed in');
    await settled();
    expect(refused).toEqual(['a3']);
  });
});

describe('an entry', () => {
  test('leaves the queue as soon as its signal aborts', async () => {
    const { queue, enter, enterShared } = queueOf();
    void enter('a');
    const controller = new AbortController();
    const waiting = enterShared('b', { current: [one('all', 'b')] }, controller.signal);
    expect(queue.waiting()).toBe(1);
    controller.abort(new Error('gone'));
    expect(queue.waiting()).toBe(0);
    expect(await waiting).toBe('gone');
  });

  test('is refused after the longest wait', async () => {
    const { enter, started } = queueOf({ limitsOf: limitsWith({ all: { waitLimit: 20 } }) });
    void enter('a');
    expect(await enter('b')).toBe('waited too long');
    expect(started).toEqual(['a']);
  });

  test('of several callers starts by the turn of the first that has one, and counts for it', async () => {
    const { queue, enter, enterShared, end, started } = queueOf({
      limitsOf: limitsWith({ 'signed in': { guaranteed: 1 } }),
    });
    void enter('a', 'anonymous');
    let join = (_entrant: Entrant) => {};
    const shared = enterShared('shared', {
      current: [one('anonymous', 'b')],
      onJoin: (listener) => {
        join = listener;
        return () => {};
      },
    });
    await settled();
    expect(started).toEqual(['a']);
    join(one('anonymous', 'c'));
    expect(queue.waiting()).toBe(2);
    join(one('signed in', 'ada'));
    expect(await shared).toEqual(one('signed in', 'ada'));
    expect([queue.waiting(), queue.running('signed in')]).toEqual([0, 1]);
    await end('shared');
    expect(queue.running('signed in')).toBe(0);
  });

  test('waits until all of its shares have room', async () => {
    const { enter, end, started } = queueOf({ places: 4 });
    const shares = [{ key: 'project', limit: 2 }];
    for (const name of ['a', 'b', 'c']) void enter(name, 'all', name, shares);
    void enter('other');
    await settled();
    expect(started).toEqual(['a', 'b', 'other']);
    await end('a');
    expect(started).toEqual(['a', 'b', 'other', 'c']);
  });
});

test('queues together run no more than their total, and each starts entries when another one ends', async () => {
  const total = together({ places: 2, limitsOf: limitsWith({}) });
  const [logs, blames] = [
    queueOf({ places: 2, together: total }),
    queueOf({ places: 2, together: total }),
  ];
  for (const name of ['l1', 'l2', 'l3']) void logs.enter(name);
  void blames.enter('b1');
  await settled();
  expect([logs.started, blames.started]).toEqual([['l1', 'l2'], []]);
  await logs.end('l1');
  expect([...logs.started, ...blames.started]).toHaveLength(3);
  await logs.end('l2');
  expect([logs.started, blames.started]).toEqual([['l1', 'l2', 'l3'], ['b1']]);
});

test('a closed queue refuses waiting and later entries', async () => {
  const { queue, enter, refused } = queueOf();
  for (const name of ['a', 'b']) void enter(name);
  queue.close();
  expect(await enter('c')).toBe('closed');
  await settled();
  expect(refused.toSorted()).toEqual(['b', 'c']);
});
