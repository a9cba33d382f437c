import { describe, expect, test } from 'vitest';
import { jobNews } from '../../server/jobs/job-news.ts';
import { runnerCache } from '../../server/jobs/runner-cache.ts';

const aDay = 86_400_000;

describe('news of jobs', () => {
  test('a notification releases all waiting requests', async () => {
    const news = jobNews(aDay);
    const seen = news.current;
    const waits = [news.otherThan(seen), news.otherThan(seen)];
    news.changed();
    await Promise.all(waits);
    expect(news.current).not.toBe(seen);
  });

  test('a request with an older version does not wait', async () => {
    const news = jobNews(aDay);
    const seen = news.current;
    news.changed();
    await news.otherThan(seen);
    await news.otherThan('another process');
  });

  test('the wait times out without a new version', async () => {
    const news = jobNews(1);
    const seen = news.current;
    await news.otherThan(seen);
    expect(news.current).toBe(seen);
  });

  test('the wait ends when the caller disconnects', async () => {
    const news = jobNews(aDay);
    const caller = new AbortController();
    const wait = news.otherThan(news.current, caller.signal);
    caller.abort();
    await wait;
    await news.otherThan(news.current, caller.signal);
  });

  test('a stop releases all waiting requests, and later ones do not wait', async () => {
    const news = jobNews(aDay);
    const wait = news.otherThan(news.current);
    news.stop();
    await wait;
    await news.otherThan(news.current);
  });

  test('versions of different processes differ', () => {
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

describe('the runner cache', () => {
  test('loads a runner once, until it is invalidated', async () => {
    const runners = runnerCache({ digest });
    let loads = 0;
    const find = async () => {
      loads += 1;
      return runner(7);
    };
    await runners.recall('a', find);
    await runners.recall('a', find);
    expect(loads).toBe(1);
    runners.forget(8);
    await runners.recall('a', find);
    expect(loads).toBe(1);
    runners.forget(7);
    await runners.recall('a', find);
    expect(loads).toBe(2);
    runners.forgetAll();
    await runners.recall('a', find);
    expect(loads).toBe(3);
  });

  test('does not cache a runner that changes during the load', async () => {
    const runners = runnerCache({ digest });
    await runners.recall('a', async () => {
      runners.forget(7);
      return runner(7);
    });
    let loads = 0;
    await runners.recall('a', async () => {
      loads += 1;
      return runner(7);
    });
    expect(loads).toBe(1);
  });

  test('does not cache an unknown runner', async () => {
    const runners = runnerCache({ digest });
    expect(await runners.recall('a', async () => null)).toBeNull();
    expect(await runners.recall('a', async () => runner(7))).toEqual(runner(7));
  });
});
