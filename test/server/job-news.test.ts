import { describe, expect, test } from 'vitest';
import { jobNews } from '../../server/jobs/job-news.ts';
import { runnerCache } from '../../server/jobs/runner-cache.ts';

const aDay = 86_400_000;

describe('news of jobs', () => {
  test('everybody who waits is let go when there is something', async () => {
    const news = jobNews(aDay);
    const seen = news.current;
    const waits = [news.otherThan(seen), news.otherThan(seen)];
    news.changed();
    await Promise.all(waits);
    expect(news.current).not.toBe(seen);
  });

  test('who has seen something else does not wait', async () => {
    const news = jobNews(aDay);
    const seen = news.current;
    news.changed();
    await news.otherThan(seen);
    await news.otherThan('another process');
  });

  test('the wait ends by itself, and nothing is new then', async () => {
    const news = jobNews(1);
    const seen = news.current;
    await news.otherThan(seen);
    expect(news.current).toBe(seen);
  });

  test('the wait ends when the caller leaves', async () => {
    const news = jobNews(aDay);
    const caller = new AbortController();
    const wait = news.otherThan(news.current, caller.signal);
    caller.abort();
    await wait;
    await news.otherThan(news.current, caller.signal);
  });

  test('a stop lets everybody go, and nobody waits after it', async () => {
    const news = jobNews(aDay);
    const wait = news.otherThan(news.current);
    news.stop();
    await wait;
    await news.otherThan(news.current);
  });

  test('what one process tells is nothing to another', () => {
    expect(jobNews().current).not.toBe(jobNews().current);
  });
});

const digest = (token: string) => new TextEncoder().encode(token);

const runner = (id: number) => ({
  id,
  isShared: true,
  isActive: true,
  runsUntagged: true,
  access: 'not_protected' as const,
  tags: [],
  description: null,
  contactedAt: null,
});

describe('runners that are known', () => {
  test('are asked for once, until they are forgotten', async () => {
    const known = runnerCache({ digest });
    let asked = 0;
    const find = async () => {
      asked += 1;
      return runner(7);
    };
    await known.recall('a', find);
    await known.recall('a', find);
    expect(asked).toBe(1);
    known.forget(8);
    await known.recall('a', find);
    expect(asked).toBe(1);
    known.forget(7);
    await known.recall('a', find);
    expect(asked).toBe(2);
    known.forgetAll();
    await known.recall('a', find);
    expect(asked).toBe(3);
  });

  test('one that changes while it is asked for is not remembered as it was', async () => {
    const known = runnerCache({ digest });
    await known.recall('a', async () => {
      known.forget(7);
      return runner(7);
    });
    let asked = 0;
    await known.recall('a', async () => {
      asked += 1;
      return runner(7);
    });
    expect(asked).toBe(1);
  });

  test('nobody is asked for again', async () => {
    const known = runnerCache({ digest });
    expect(await known.recall('a', async () => null)).toBeNull();
    expect(await known.recall('a', async () => runner(7))).toEqual(runner(7));
  });
});
