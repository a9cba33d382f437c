/**
 * `npm run bench [-- [--quick] [--runs 7] [--flag=--node-flag]… [--match text] [family or case]…]`:
 * the service beside hand-written twins in the same run. The families are `api`, `git`, `browsing`,
 * `planning`, `activity`, `ci`, `soap`, `listings` (each with every filter and order; `--match` picks
 * some), `authentication` and `costly` (hostile requests, beside the wait for liveness); without any
 * word all are measured, of the listings some of each. Fails where a twin's answer differs; goals are
 * only told.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { activityCaseNames, activityCases, slowCaseNames, wikiEdit } from './activity-cases.ts';
import { apiCaseNames, apiCases } from './api-cases.ts';
import { measureAuthentication } from './authentication.ts';
import { browsingCaseNames, browsingCases } from './browsing-cases.ts';
import { ciCaseNames, ciCases, ciWorkNames } from './ci-cases.ts';
import { measurePushes, pushToPipeline } from './ci-pushes.ts';
import { handOut, idleRunners, measureHandOut, measureIdleRunners } from './ci-runners.ts';
import { measureTraces, traceAppend } from './ci-traces.ts';
import { costly, measureCostly } from './costly.ts';
import { gitCaseNames, gitCases } from './git-cases.ts';
import { measureRequests, measureWork, type Pace } from './measure.ts';
import { measureListings } from './measure-listings.ts';
import { printMemory } from './memory.ts';
import { mergeCase, mergingCase } from './merging.ts';
import { planningCaseNames, planningCases } from './planning-cases.ts';
import {
  projectsCase,
  soapCaseNames,
  soapMemory,
  soapProjects,
  soapSessions,
} from './soap-cases.ts';
import { measureSoapMemory } from './soap-memory.ts';
import { measureSoapSessions } from './soap-sessions.ts';
import { printHead, printRow, type Row } from './table.ts';
import { measureWikiEdits } from './wiki-edits.ts';
import { makeWorld } from './world.ts';
import { measureWrongPasswords } from './wrong-passwords.ts';

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    runs: { type: 'string' },
    flag: { type: 'string', multiple: true },
    match: { type: 'string' },
  },
});

const families: Readonly<Record<string, readonly string[]>> = {
  api: apiCaseNames,
  git: gitCaseNames,
  browsing: browsingCaseNames,
  planning: planningCaseNames,
  activity: activityCaseNames,
  ci: ciCaseNames,
  soap: soapCaseNames,
  listings: [],
  authentication: [],
  [costly]: [],
};

const unknown = wanted.filter((word) => !Object.entries(families).flat(2).includes(word));
if (unknown.length > 0) throw new Error(`no family or case is called ${unknown.join(', ')}`);

const isFamilyWanted = (family: string) =>
  [family, ...(families[family] ?? [])].some((word) => wanted.includes(word)) ||
  wanted.length === 0;
const isCaseWanted = (family: string) => {
  const isWhole = wanted.length === 0 || wanted.includes(family);
  return ({ name }: { readonly name: string }) => isWhole || wanted.includes(name);
};
const say = (text: string) => process.stdout.write(`${text}\n`);

const runsOr = (usual: number) => (options.quick ? 1 : Number(options.runs ?? usual));
const world = await makeWorld(options.flag ?? []);
const { pid } = world.service;
const pace: Pace = { runs: runsOr(7), seconds: options.quick ? 1 : 2, warmUp: 1, pids: [pid] };
/** There are hundreds of them, and nothing is left to do after an answer. */
const listingPace: Pace = { runs: runsOr(3), seconds: 0.4, warmUp: 0.1, pids: [], isCounted: true };

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
  if (['api', 'git', 'browsing', 'planning', 'activity', 'ci', 'soap'].some(isFamilyWanted))
    printHead();
  if (isFamilyWanted('api')) {
    for (const made of (await apiCases(world)).filter(isCaseWanted('api'))) {
      await tell(made.name, measureRequests(made, pace));
    }
  }
  if (isFamilyWanted('git')) await measureGit();
  if (isFamilyWanted('browsing')) await measureBrowsing();
  if (isFamilyWanted('planning')) {
    for (const made of (await planningCases(world)).filter(isCaseWanted('planning'))) {
      await tell(made.name, measureRequests(made, pace));
    }
  }
  if (isFamilyWanted('activity')) await measureActivity();
  if (isFamilyWanted('ci')) await measureCi();
  if (isFamilyWanted('soap')) await measureSoap();
  if (isFamilyWanted('authentication')) {
    await measureAuthentication(world, pace);
    await measureWrongPasswords(world, pace);
  }
  if (isFamilyWanted('listings')) {
    const isWhole = wanted.length > 0;
    const isRight = await measureListings(world, listingPace, { isWhole, match: options.match });
    if (!isRight) isWrong = true;
  }
  if (isFamilyWanted(costly)) await measureCostly(world.service);
  printMemory(pid, 'after all cases');
}

async function measureActivity(): Promise<void> {
  const isWanted = isCaseWanted('activity');
  if (isWanted({ name: mergeCase })) {
    await tell(mergeCase, measureWork(await mergingCase(world, pace.runs), pace));
  }
  if (!activityCaseNames.some((name) => name !== mergeCase && isWanted({ name }))) return;
  const { requests, activity } = await activityCases(world);
  for (const made of requests.filter(isWanted)) {
    await tell(
      made.name,
      measureRequests(made, { ...pace, isCounted: slowCaseNames.has(made.name) }),
    );
  }
  if (isWanted({ name: wikiEdit })) await measureWikiEdits(world, activity, pace);
}

async function measureCi(): Promise<void> {
  const isWanted = isCaseWanted('ci');
  const { requests, ci } = await ciCases(world);
  for (const made of requests.filter(isWanted)) await tell(made.name, measureRequests(made, pace));
  const work = {
    [idleRunners]: measureIdleRunners,
    [handOut]: measureHandOut,
    [pushToPipeline]: measurePushes,
    [traceAppend]: measureTraces,
  };
  for (const name of ciWorkNames) if (isWanted({ name })) await work[name](world, ci, pace);
}

async function measureSoap(): Promise<void> {
  const isWanted = isCaseWanted('soap');
  if (isWanted({ name: soapMemory })) await measureSoapMemory(world, pace);
  if (isWanted({ name: soapProjects })) {
    await tell(
      soapProjects,
      projectsCase(world).then((made) => measureRequests(made, pace)),
    );
  }
  if (isWanted({ name: soapSessions })) await measureSoapSessions(world, pace);
}

async function measureGit(): Promise<void> {
  const { requests, work, backend, check, close } = await gitCases(world, pace.runs);
  const isWanted = isCaseWanted('git');
  try {
    for (const made of requests.filter(isWanted)) {
      await tell(made.name, measureRequests(made, pace));
    }
    for (const made of work.filter(isWanted)) await tell(made.name, measureWork(made, pace));
    if (!options.quick) await check();
    say(`git cases beside ${backend.title}; pushes to the service carry a token`);
  } finally {
    await close();
  }
}

async function measureBrowsing(): Promise<void> {
  const { requests, work, program } = await browsingCases(world);
  const isWanted = isCaseWanted('browsing');
  try {
    for (const made of requests.filter(isWanted)) {
      await tell(made.name, measureRequests(made, pace));
    }
    for (const made of work.filter(isWanted)) await tell(made.name, measureWork(made, pace));
    say('browsing cases beside git itself: one process for each request');
  } finally {
    await program.stop();
  }
}

try {
  await measureAll();
} finally {
  await world.close();
}
process.exit(isWrong ? 1 : 0);
