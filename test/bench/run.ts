import process from 'node:process';
import { parseArgs } from 'node:util';
import { apiCases } from './api-cases.ts';
import { measureRequests, type Pace } from './measure.ts';
import { printMemory } from './memory.ts';
import { printHead, printRow, type Row } from './table.ts';
import { makeWorld } from './world.ts';

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, flag: { type: 'string', multiple: true } },
});

const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);

const world = await makeWorld(options.flag ?? []);
const pace: Pace = {
  runs: options.quick ? 1 : 7,
  seconds: options.quick ? 1 : 2,
  pids: [world.service.pid],
};
let isWrong = false;
try {
  printMemory(world.service.pid, 'at the start');
  printHead();
  const rows: Row[] = [];
  for (const made of await apiCases(world)) {
    if (!isWanted(made.name)) continue;
    const row = await measureRequests(made, pace);
    printRow(row);
    rows.push(row);
  }
  printMemory(world.service.pid, 'after all cases');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  isWrong = true;
} finally {
  await world.close();
}
process.exit(isWrong ? 1 : 0);
