import { Command } from 'commander';
import { machineChecks } from '../checks/machine.ts';
import type { Config } from '../config.ts';
import { DatabaseUnusable } from '../database.ts';
import { type CheckFlags, diagnose, runChecks } from './diagnosis.ts';
import { type FindingOptions, type Findings, printedFindings } from './findings.ts';
import { InstallationMissing, requireInstallation } from './installation.ts';
import { withDatabase } from './service-database.ts';

interface DoctorOptions extends FindingOptions {
  readonly fsck?: boolean;
  readonly fix?: boolean;
}

/** Records a check that ended before it could look at anything. */
const addFailure = (findings: Findings, check: string, problem: string) =>
  findings.add({ check, result: 'error', problem, advice: null, items: null });

/** Checks the machine, and the service if its database can be opened. */
async function examine(config: Config, flags: CheckFlags, findings: Findings): Promise<void> {
  await requireInstallation(config);
  await runChecks(machineChecks(config), flags, findings);
  try {
    await withDatabase(config, (url) => diagnose(config, url, flags, findings));
  } catch (error) {
    if (!(error instanceof DatabaseUnusable)) throw error;
    addFailure(findings, 'database', error.message);
  }
}

async function runDoctor(config: Config, options: DoctorOptions): Promise<void> {
  const { fsck = false, fix = false, ...output } = options;
  const findings = printedFindings(output);
  const flags = {
    isDeep: fsck,
    isFixed: fix,
    tally: {
      keepsAll: output.json === true || output.all === true,
      hasExamples: output.json === true || !output.all,
    },
  };
  try {
    await examine(config, flags, findings);
  } catch (error) {
    // the text is that of every command
    if (!output.json) throw error;
    const check = error instanceof InstallationMissing ? 'installation' : 'doctor';
    addFailure(findings, check, (error as Error).message);
  }
  findings.end();
}

/** `millrace doctor`. */
export const doctorCommand = (readConfig: () => Config): Command =>
  new Command('doctor')
    .option('--fsck', 'also follow the objects of each repository and wiki, which takes long')
    .option('--all', 'list every record and file of each problem; JSON always has them')
    .option(
      '--fix',
      'repair modes of files, migrations, the extension, caches and HEAD of repositories; nothing that could lose data',
    )
    .addHelpText(
      'after',
      `
Exit code 1 means that there are errors, or that there is no Millrace; warnings alone are 0. With --json the result is a list of
{check, result, problem, advice, items}: result is ok, warning, error or fixed, and items are {name, problem}.
`,
    )
    .action((options: DoctorOptions) => runDoctor(readConfig(), options));
