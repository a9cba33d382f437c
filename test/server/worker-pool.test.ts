import { readdir } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { type WorkerPoolOptions, workerPool } from '../../server/workers/worker-pool.ts';
import {
  allocateTask,
  doubleTask,
  exitTask,
  spinTask,
  throwInsideTask,
  throwOutsideTask,
} from '../fixtures/worker-tasks.ts';

const log = pino({ level: 'silent' });
const ada = { userId: 1 };
const bob = { userId: 2 };
const anonymous = { address: '2001:db8::1' };

const open: { close(): Promise<void> }[] = [];
function poolOf(options: Partial<WorkerPoolOptions> = {}) {
  const pool = workerPool({ log, threads: 2, waiting: 16, ...options });
  open.push(pool);
  return pool;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.close()));
});

const busy = { code: 'UNAVAILABLE', retryAfter: expect.any(Number) };
const hour = 3_600_000;

async function countOf(pool: ReturnType<typeof poolOf>, state: 'running' | 'waiting') {
  const [, , tasks] = pool.metrics;
  const { values } = (await tasks?.get()) ?? { values: [] };
  return values.find(({ labels }) => labels.state === state)?.value;
}

describe('a task', () => {
  test('runs in a thread, or without one when it is small', async () => {
    const pool = poolOf();
    expect(await pool.run(doubleTask, 'ab', ada)).toBe('abab');
    expect(await pool.run(doubleTask, '', ada)).toBe('');
    const [total] = pool.metrics;
    expect((await total?.get())?.values).toEqual([
      expect.objectContaining({ labels: { kind: 'double', outcome: 'done' }, value: 1 }),
    ]);
  });

  test('runs in a thread that yields to the event loop', async () => {
    const pool = poolOf();
    const task = pool.run(spinTask, 300, ada);
    const niceThreads = async () => {
      const ids = await readdir('/proc/self/task');
      return ids.filter((id) => getPriority(Number(id)) === usual + 5).length;
    };
    const usual = getPriority();
    await expect.poll(niceThreads).toBeGreaterThan(0);
    expect(getPriority()).toBe(usual);
    await task;
  });

  test('that exceeds its time limit is terminated, and the next one runs', async () => {
    const pool = poolOf();
    await expect(pool.run({ ...spinTask, timeLimit: 200 }, hour, ada)).rejects.toMatchObject({
      code: 'INVALID',
      reason: 'too-costly',
      message: 'The loop takes too long to process (maximum is 0.2 seconds)',
    });
    expect(await pool.run(spinTask, 1, ada)).toBe(1);
  });

  test('that exceeds the heap of its thread terminates only that thread', async () => {
    const pool = poolOf();
    const other = pool.run(spinTask, 500, bob);
    await expect(pool.run(allocateTask, null, ada)).rejects.toMatchObject({
      reason: 'too-costly',
      message: 'The list needs too much memory to process (maximum is 64 MB)',
    });
    expect(await other).toBe(500);
    expect(await pool.run(doubleTask, 'ab', ada)).toBe('abab');
  });

  test.each([0, 1])(
    'whose thread exits with %i is refused, and the next one runs',
    async (code) => {
      const pool = poolOf();
      await expect(pool.run(exitTask, code, ada)).rejects.toMatchObject(busy);
      for (const caller of [ada, bob, anonymous])
        expect(await pool.run(doubleTask, 'ab', caller)).toBe('abab');
    },
  );

  test('ends when its caller disconnects, running or waiting', async () => {
    const pool = poolOf();
    const [running, waiting] = [new AbortController(), new AbortController()];
    const tasks = [running, waiting].map(({ signal }) =>
      pool.run(spinTask, hour, { ...ada, signal }).catch((error: Error) => error.name),
    );
    await expect.poll(() => countOf(pool, 'waiting')).toBe(1);
    waiting.abort();
    running.abort();
    expect(await Promise.all(tasks)).toEqual(['AbortError', 'AbortError']);
    expect(await pool.run(doubleTask, 'ab', ada)).toBe('abab');
  });

  test.each([[new Error('outside')], ['a text'], [null]])(
    'whose thread fails with the uncaught error %s is refused, and the next one runs',
    async (value) => {
      const pool = poolOf();
      const other = pool.run(spinTask, 500, bob);
      await expect(pool.run(throwOutsideTask, value, ada)).rejects.toMatchObject(busy);
      expect(await other).toBe(500);
      expect(await pool.run(doubleTask, 'ab', ada)).toBe('abab');
    },
  );

  test('that throws fails with its own error', async () => {
    await expect(poolOf().run(throwInsideTask, 'mine', ada)).rejects.toThrow('mine');
  });

  test('that ends its thread each time gets no third one', async () => {
    const pool = poolOf();
    const callers = [ada, bob, anonymous, ada];
    const run = (caller: (typeof callers)[number]) => pool.run(exitTask, 3, caller);
    const codes = [];
    for (const caller of callers) codes.push(await run(caller).catch((error) => error.code));
    expect(codes).toEqual(['UNAVAILABLE', 'UNAVAILABLE', 'INVALID', 'INVALID']);
    await expect(run(ada)).rejects.toMatchObject({
      reason: 'too-costly',
      message: 'The thread cannot be processed',
    });
    await expect(pool.run(exitTask, 4, ada)).rejects.toMatchObject(busy);
  });

  test('is rejected when the pool closes', async () => {
    const pool = poolOf();
    const tasks = [1, 2].map(() => pool.run(spinTask, hour, ada).catch((error) => error.code));
    await expect.poll(() => countOf(pool, 'waiting')).toBe(1);
    await pool.close();
    expect(await Promise.all(tasks)).toEqual(['UNAVAILABLE', 'UNAVAILABLE']);
  });
});

describe('a task whose results are shared', () => {
  const sharedDouble = { ...doubleTask, sizeOf: ({ length }: string) => length };
  const sharedSpin = { ...spinTask, sizeOf: () => 1 };

  async function runsOf(pool: ReturnType<typeof poolOf>) {
    const [total] = pool.metrics;
    const { values } = (await total?.get()) ?? { values: [] };
    return values.reduce((sum, { value }) => sum + value, 0);
  }

  test('runs once for equal inputs, simultaneous or later, of any caller', async () => {
    const pool = poolOf();
    const outputs = Array.from({ length: 50 }, () => pool.run(sharedDouble, 'ab', ada));
    expect(new Set(await Promise.all(outputs))).toEqual(new Set(['abab']));
    expect(await pool.run(sharedDouble, 'ab', bob)).toBe('abab');
    expect(await runsOf(pool)).toBe(1);
    expect(await pool.run(sharedDouble, 'cd', ada)).toBe('cdcd');
    expect(await runsOf(pool)).toBe(2);
  });

  test('runs for the next caller when the first one disconnects', async () => {
    const pool = poolOf();
    const [hog, leaving] = [new AbortController(), new AbortController()];
    const running = pool
      .run(spinTask, hour, { ...ada, signal: hog.signal })
      .catch((error: Error) => error.name);
    const waiting = pool
      .run(sharedDouble, 'ab', { ...ada, signal: leaving.signal })
      .catch((error: Error) => error.name);
    await expect.poll(() => countOf(pool, 'waiting')).toBe(1);
    const second = pool.run(sharedDouble, 'ab', bob);
    leaving.abort();
    expect(await waiting).toBe('AbortError');
    expect(await second).toBe('abab');
    hog.abort();
    expect(await running).toBe('AbortError');
  });

  test('that exceeded a limit is refused without another run', async () => {
    const pool = poolOf();
    for (const caller of [ada, bob]) {
      const result = pool.run({ ...sharedSpin, timeLimit: 200 }, hour, caller);
      await expect(result).rejects.toMatchObject({ reason: 'too-costly' });
    }
    expect(await runsOf(pool)).toBe(1);
  });
});

describe('a caller', () => {
  test('never uses the last thread', async () => {
    const pool = poolOf();
    const controller = new AbortController();
    const { signal } = controller;
    const hogs = [1, 2, 3].map(() =>
      pool.run(spinTask, hour, { ...ada, signal }).catch((error: Error) => error.name),
    );
    expect(await pool.run(doubleTask, 'ab', bob)).toBe('abab');
    expect(await pool.run(doubleTask, 'ab', anonymous)).toBe('abab');
    expect(await countOf(pool, 'waiting')).toBe(2);
    controller.abort();
    expect(await Promise.all(hogs)).toEqual(['AbortError', 'AbortError', 'AbortError']);
  });

  test('of any class runs though callers of the others hold all threads', async () => {
    const pool = poolOf();
    const controller = new AbortController();
    const { signal } = controller;
    const strangers = [
      { address: '192.0.2.1' },
      { address: '192.0.2.2' },
      { address: '192.0.2.3' },
    ];
    const hogs = strangers.map((caller) =>
      pool.run(spinTask, hour, { ...caller, signal }).catch((error: Error) => error.name),
    );
    const users = [ada, bob].map((caller) =>
      pool.run(spinTask, hour, { ...caller, signal }).catch((error: Error) => error.name),
    );
    await expect.poll(() => countOf(pool, 'running')).toBe(4);
    expect(await countOf(pool, 'waiting')).toBe(1);
    expect(await pool.run(doubleTask, 'ab', { projectId: 1 })).toBe('abab');
    controller.abort();
    await Promise.all([...hogs, ...users]);
  });

  test('is rejected beyond its share of the queue, while others wait', async () => {
    const pool = poolOf();
    const controller = new AbortController();
    const { signal } = controller;
    const run = (caller: typeof ada) =>
      pool.run(spinTask, hour, { ...caller, signal }).catch((error: Error) => error.name);
    const waiting = [run(ada), run(ada), run(ada)];
    await expect(pool.run(doubleTask, 'ab', ada)).rejects.toMatchObject(busy);
    waiting.push(run(bob), run(bob));
    await expect.poll(() => countOf(pool, 'waiting')).toBe(3);
    controller.abort();
    await Promise.all(waiting);
  });

  test('is rejected after waiting too long', async () => {
    const pool = poolOf({ waitLimit: 50 });
    const controller = new AbortController();
    const hog = pool.run(spinTask, hour, { ...ada, signal: controller.signal });
    await expect(pool.run(doubleTask, 'ab', ada)).rejects.toMatchObject(busy);
    controller.abort();
    await expect(hog).rejects.toThrow();
  });
});
