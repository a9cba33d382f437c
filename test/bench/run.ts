/**
 * `npm run bench [-- [--quick] [--runs 7] [--flag=--node-flag]… [--match text] [family or case]…]`:
 * the service beside hand-written twins in the same run. The families are `api`, `git`, `ssh`, `browsing`,
 * `planning`, `activity`, `ci`, `soap`, `listings` (each with every filter and order; `--match` picks
 * cases), `authentication` and `costly` (hostile requests, beside the wait for liveness); without a
 * name all are measured, and a sample of each listing. `scale` is measured alone: listings on a large
 * and a small database (`--match` picks cases). So are `memory`, the start of a server and its memory,
 * `lfs`, an object of a gibibyte, `pages`, the pages of the browser beside cgit, `discussions` of a merge request with 500 notes,
 * `fairness`, what hostile callers cost others, `history`, walks of 40,000 commits and many small pushes, and `workers`: two
 * processes beside one (needs wrk and nginx).
 * Fails if a twin's response differs or a request fails; missed goals are only printed.
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
import { discussions, measureDiscussions } from './discussions.ts';
import { fairness, measureFairness } from './fairness.ts';
import { gitCaseNames, gitCases } from './git-cases.ts';
import { history, measureHistory } from './history.ts';
import { largeFiles, measureLargeFiles } from './lfs.ts';
import { measureRequests, measureWork, type Pace } from './measure.ts';
import { measureListings } from './measure-listings.ts';
import { printMemory } from './memory.ts';
import { mergeCase, mergingCase } from './merging.ts';
import { measurePages, pages } from './pages.ts';
import { planningCaseNames, planningCases } from './planning-cases.ts';
import { measureScale, scale } from './scale.ts';
import { measureServerMemory, memory } from './server-memory.ts';
import {
  projectsCase,
  soapCaseNames,
  soapMemory,
  soapProjects,
  soapSessions,
} from './soap-cases.ts';
import { measureSoapMemory } from './soap-memory.ts';
import { measureSoapSessions } from './soap-sessions.ts';
import { sshCaseNames, sshCases } from './ssh-cases.ts';
import { printHead, printRow, type Row } from './table.ts';
import { measureWikiEdits } from './wiki-edits.ts';
import { measureWorkers, workers } from './workers.ts';
import { createWorld } from './world.ts';
import { measureWrongPasswords } from './wrong-passwords.ts';

const { values: options, positionals: selected } = parseArgs({
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
  ssh: sshCaseNames,
  browsing: browsingCaseNames,
  planning: planningCaseNames,
  activity: activityCaseNames,
  ci: ciCaseNames,
  soap: soapCaseNames,
  listings: [],
  authentication: [],
  [costly]: [],
  [scale]: [],
  [memory]: [],
  [largeFiles]: [],
  [discussions]: [],
  [fairness]: [],
  [history]: [],
  [pages]: [],
  [workers]: [],
};

const unknown = selected.filter((name) => !Object.entries(families).flat(2).includes(name));
if (unknown.length > 0) {
  const names = Object.entries(families).map(([family, cases]) => [family, ...cases].join(' '));
  process.stderr.write(
    `Unknown family or case: ${unknown.join(', ')}. Known:\n${names.join('\n')}\n`,
  );
  process.exit(2);
}

const runsOr = (defaultRuns: number) => (options.quick ? 1 : Number(options.runs ?? defaultRuns));

/** Families that start services of their own; the result is false if a request failed. */
const measuredAlone = {
  [scale]: () =>
    measureScale({
      seconds: options.quick ? 0.2 : 1,
      flags: options.flag ?? [],
      match: options.match,
    }),
  [memory]: async () => {
    await measureServerMemory({ runs: runsOr(5), flags: options.flag ?? [] });
    return true;
  },
  [largeFiles]: async () => {
    const size = options.quick ? 128 : 1024;
    await measureLargeFiles({ runs: runsOr(3), size, flags: options.flag ?? [] });
    return true;
  },
  [discussions]: async () => {
    const seconds = options.quick ? 0.5 : 3;
    await measureDiscussions({ runs: runsOr(3), seconds, flags: options.flag ?? [] });
    return true;
  },
  [fairness]: async () => {
    await measureFairness({ samples: options.quick ? 20 : 100, flags: options.flag ?? [] });
    return true;
  },
  [history]: async () => {
    await measureHistory({ pushes: options.quick ? 300 : 1_070, flags: options.flag ?? [] });
    return true;
  },
  [pages]: async () => {
    await measurePages({
      runs: runsOr(5),
      seconds: options.quick ? 1 : 3,
      flags: options.flag ?? [],
    });
    return true;
  },
  [workers]: async () => {
    await measureWorkers({ runs: runsOr(5), seconds: options.quick ? 2 : 5 });
    return true;
  },
};

for (const [family, measure] of Object.entries(measuredAlone)) {
  if (!selected.includes(family)) continue;
  if (selected.length > 1) {
    process.stderr.write(`${family} is measured alone.\n`);
    process.exit(2);
  }
  process.exit((await measure()) ? 0 : 1);
}

const isFamilySelected = (family: string) =>
  [family, ...(families[family] ?? [])].some((name) => selected.includes(name)) ||
  selected.length === 0;
const caseFilter = (family: string) => {
  const isWhole = selected.length === 0 || selected.includes(family);
  return ({ name }: { readonly name: string }) => isWhole || selected.includes(name);
};
const print = (text: string) => process.stdout.write(`${text}\n`);

const world = await createWorld(options.flag ?? []);
const { pid } = world.service;
const pace: Pace = { runs: runsOr(7), seconds: options.quick ? 1 : 2, warmUp: 1, pids: [pid] };
/** Short runs, as there are hundreds of cases; requests leave no work behind. */
const listingPace: Pace = { runs: runsOr(3), seconds: 0.4, warmUp: 0.1, pids: [], isCounted: true };

let isWrong = false;

/** Prints one line for a case; a case whose responses differ fails the bench. */
async function printResult(name: string, row: Promise<Row>): Promise<void> {
  try {
    printRow(await row);
  } catch (error) {
    isWrong = true;
    print(`${name.padEnd(20)} FAILED: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function measureAll(): Promise<void> {
  printMemory(pid, 'at the start');
  if (
    ['api', 'git', 'ssh', 'browsing', 'planning', 'activity', 'ci', 'soap'].some(isFamilySelected)
  )
    printHead();
  if (isFamilySelected('api')) {
    for (const requestCase of (await apiCases(world)).filter(caseFilter('api'))) {
      await printResult(requestCase.name, measureRequests(requestCase, pace));
    }
  }
  if (isFamilySelected('git')) await measureGit();
  if (isFamilySelected('ssh')) await measureSsh();
  if (isFamilySelected('browsing')) await measureBrowsing();
  if (isFamilySelected('planning')) {
    for (const requestCase of (await planningCases(world)).filter(caseFilter('planning'))) {
      await printResult(requestCase.name, measureRequests(requestCase, pace));
    }
  }
  if (isFamilySelected('activity')) await measureActivity();
  if (isFamilySelected('ci')) await measureCi();
  if (isFamilySelected('soap')) await measureSoap();
  if (isFamilySelected('authentication')) {
    await measureAuthentication(world, pace);
    await measureWrongPasswords(world, pace);
  }
  if (isFamilySelected('listings')) {
    const isWhole = selected.length > 0;
    const isRight = await measureListings(world, listingPace, { isWhole, match: options.match });
    if (!isRight) isWrong = true;
  }
  if (isFamilySelected(costly)) await measureCostly(world.service);
  printMemory(pid, 'after all cases');
}

async function measureActivity(): Promise<void> {
  const isSelected = caseFilter('activity');
  if (isSelected({ name: mergeCase })) {
    await printResult(mergeCase, measureWork(await mergingCase(world, pace.runs), pace));
  }
  if (!activityCaseNames.some((name) => name !== mergeCase && isSelected({ name }))) return;
  const { requests, activity } = await activityCases(world);
  for (const requestCase of requests.filter(isSelected)) {
    await printResult(
      requestCase.name,
      measureRequests(requestCase, { ...pace, isCounted: slowCaseNames.has(requestCase.name) }),
    );
  }
  if (isSelected({ name: wikiEdit })) await measureWikiEdits(world, activity, pace);
}

async function measureCi(): Promise<void> {
  const isSelected = caseFilter('ci');
  const { requests, ci } = await ciCases(world);
  for (const requestCase of requests.filter(isSelected))
    await printResult(requestCase.name, measureRequests(requestCase, pace));
  const work = {
    [idleRunners]: measureIdleRunners,
    [handOut]: measureHandOut,
    [pushToPipeline]: measurePushes,
    [traceAppend]: measureTraces,
  };
  for (const name of ciWorkNames) if (isSelected({ name })) await work[name](world, ci, pace);
}

async function measureSoap(): Promise<void> {
  const isSelected = caseFilter('soap');
  if (isSelected({ name: soapMemory })) await measureSoapMemory(world, pace);
  if (isSelected({ name: soapProjects })) {
    await printResult(
      soapProjects,
      projectsCase(world).then((requestCase) => measureRequests(requestCase, pace)),
    );
  }
  if (isSelected({ name: soapSessions })) await measureSoapSessions(world, pace);
}

async function measureGit(): Promise<void> {
  const { requests, work, backend, check, close } = await gitCases(world, pace.runs);
  const isSelected = caseFilter('git');
  try {
    for (const requestCase of requests.filter(isSelected)) {
      await printResult(requestCase.name, measureRequests(requestCase, pace));
    }
    for (const workCase of work.filter(isSelected))
      await printResult(workCase.name, measureWork(workCase, pace));
    if (!options.quick) await check();
    print(`git cases beside ${backend.title}; pushes to the service carry a token`);
  } finally {
    await close();
  }
}

async function measureSsh(): Promise<void> {
  const { work, close } = await sshCases(world, pace.runs);
  try {
    for (const workCase of work.filter(caseFilter('ssh')))
      await printResult(workCase.name, measureWork(workCase, pace));
    print('SSH cases beside OpenSSH with git-shell');
  } finally {
    await close();
  }
}

async function measureBrowsing(): Promise<void> {
  const { requests, work, program } = await browsingCases(world);
  const isSelected = caseFilter('browsing');
  try {
    for (const requestCase of requests.filter(isSelected)) {
      await printResult(requestCase.name, measureRequests(requestCase, pace));
    }
    for (const workCase of work.filter(isSelected))
      await printResult(workCase.name, measureWork(workCase, pace));
    print('browsing cases beside git itself: one process for each request');
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
