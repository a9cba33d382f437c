/**
 * `npm run bench [-- [--quick] [--runs 7] [--flag=--node-flag]… [case]…]`: the service beside
 * hand-written twins in the same run. Fails where a twin's answer differs; goals are only told.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { apiCases } from './api-cases.ts';
import { gitCaseNames, gitCases } from './git-cases.ts';
import { measureRequests, measureWork, type Pace } from './measure.ts';
import { printMemory } from './memory.ts';
import { printHead, printRow, type Row } from './table.ts';
import { makeWorld } from './world.ts';

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    runs: { type: 'string', default: '7' },
    flag: { type: 'string', multiple: true },
  },
});

const isWanted = ({ name }: { readonly name: string }) =>
  wanted.length === 0 || wanted.includes(name);
const say = (text: string) => process.stdout.write(`${text}\n`);

const runs = options.quick ? 1 : Number(options.runs);
const world = await makeWorld(options.flag ?? []);
const { pid } = world.service;
const pace: Pace = { runs, seconds: options.quick ? 1 : 2, pids: [pid] };

let isWrong = false;

/** One line for a case; one that cannot be measured, as its answers differ, fails the bench. */
async function tell(name: string, row: Promise<Row>): Promise<void> {
  try {
    printRow(await row);
  } catch (error) {
    isWrong = true;
    say(`${name.padEnd(20)} FAILED: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function measureAll(): Promise<void> {
  printMemory(pid, 'at the start');
  printHead();
  for (const made of (await apiCases(world)).filter(isWanted)) {
    await tell(made.name, measureRequests(made, pace));
  }
  if (gitCaseNames.some((name) => isWanted({ name }))) await measureGit();
  printMemory(pid, 'after all cases');
}

async function measureGit(): Promise<void> {
  const { requests, work, backend, check, close } = await gitCases(world, runs);
  try {
    for (const made of requests.filter(isWanted))
      await tell(made.name, measureRequests(made, pace));
    for (const made of work.filter(isWanted)) await tell(made.name, measureWork(made, pace));
    if (!options.quick) await check();
    say(`git cases beside ${backend.title}; pushes to the service carry a token`);
  } finally {
    await close();
  }
}

try {
  await measureAll();
} finally {
  await world.close();
}
process.exit(isWrong ? 1 : 0);
