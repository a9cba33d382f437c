import { expect, test, vi } from 'vitest';
import { queueErrorLog } from '../../server/jobs/error-log.ts';

test('an error of all workers of the queue is logged once in half a minute, with the number of the others', () => {
  const lines: unknown[] = [];
  const report = queueErrorLog({ error: (line: unknown) => void lines.push(line) } as never);
  const failures = (text: string) =>
    Array.from(
      { length: 60 },
      (_, worker) => new Error(`${text} (Queue: fork, Worker: ${worker})`),
    );
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  for (const error of [...failures('no connection'), ...failures('no table')]) report(error);
  expect(lines).toHaveLength(2);
  clock.mockReturnValue(32_000);
  for (const error of failures('no connection')) report(error);
  expect(lines).toHaveLength(3);
  expect(lines[2]).toMatchObject({
    err: { message: 'no connection (Queue: fork, Worker: 0)' },
    omitted: 59,
  });
  clock.mockRestore();
});
