import { stat } from 'node:fs/promises';
import pLimit from 'p-limit';
import { orMissing } from '../disk/files.ts';
import { artifactsPath, jobFolders } from '../job-files/paths.ts';
import { type Check, type Finding, type ServiceParts, tally } from './check.ts';

/** Jobs read, and files looked at, at once. */
const batch = 1_000;
const atOnce = 16;

async function* artifactFindings({ config, db }: ServiceParts): AsyncGenerator<Finding> {
  const folders = jobFolders(config.dataFolder);
  const limit = pLimit(atOnce);
  const missing = tally();
  for (let after = 0; ; ) {
    const jobs = await db.job.findMany({
      where: {
        id: { gt: after },
        artifactsFile: { not: null },
        OR: [{ artifactsExpireAt: null }, { artifactsExpireAt: { gt: new Date() } }],
      },
      select: { id: true, projectId: true },
      orderBy: { id: 'asc' },
      take: batch,
    });
    const last = jobs.at(-1);
    if (!last) break;
    after = last.id;
    const look = async (job: (typeof jobs)[number]) => {
      if (!(await orMissing(stat(artifactsPath(folders, job))))) missing.add(String(job.id));
    };
    await Promise.all(jobs.map((job) => limit(() => look(job))));
  }
  if (missing.count === 0) return;
  yield {
    level: 'error',
    problem: `jobs without their artifacts, ${missing.text}`,
    advice: 'Put the files back from a backup, or erase these jobs.',
  };
}

/** Compares jobs with their files. */
export const jobFileChecks = (parts: ServiceParts): readonly Check[] => [
  { name: 'artifacts', run: () => artifactFindings(parts) },
];
