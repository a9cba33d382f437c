import process from 'node:process';
import { hostileCases } from '../support/hostile/all-cases.ts';
import { watchLiveness } from '../support/hostile/liveness.ts';
import { peakMemory, prepareTarget, resetPeak, residentMemory } from '../support/hostile/target.ts';
import { rootToken, type Service } from './service.ts';

/** The name of this family. It has no twin: these requests need not be fast, only harmless. */
export const costly = 'costly';

const row = (cells: readonly string[]) =>
  process.stdout.write(`${cells.map((cell, at) => cell.padEnd(at === 0 ? 78 : 12)).join('')}\n`);

/**
 * Sends every hostile request of the tests and prints the duration of each and the longest time that
 * a parallel liveness check waited; the last line gives the maxima and the memory.
 */
export async function measureCostly(service: Service): Promise<void> {
  const target = await prepareTarget({ ...service, rootToken });
  const before = residentMemory(service.pid);
  await resetPeak(service.pid);
  let worst = { wait: 0, title: '' };
  for (const [name, cases] of Object.entries(hostileCases)) {
    row([name, 'status', 'time', 'worst wait']);
    for (const { title, send } of cases) {
      const liveness = watchLiveness(service.url);
      const start = performance.now();
      const status = await send(target);
      const time = performance.now() - start;
      const { worst: wait, failures } = await liveness.stop();
      if (wait > worst.wait) worst = { wait, title };
      row([title, String(status), `${time.toFixed(0)} ms`, `${wait.toFixed(0)} ms`, ...failures]);
    }
  }
  process.stdout.write(
    `worst wait for liveness: ${worst.wait.toFixed(0)} ms (${worst.title}); node process ` +
      `${before.toFixed(0)} MB before, ${peakMemory(service.pid).toFixed(0)} MB at its peak\n`,
  );
}
