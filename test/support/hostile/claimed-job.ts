import { type JobClient, jobClient } from '../runner-jobs.ts';
import type { HostileTarget } from './target.ts';

/** A running job of the attacker's runner. */
export interface ClaimedJob {
  readonly id: number;
  readonly token: string;
  /** The full path of its project. */
  readonly project: string;
  readonly runner: JobClient;
}

/** Registers a runner for a new project of the attacker, and claims the job of its CI file. */
export async function claimJob(
  { as, seed, attacker, url }: HostileTarget,
  ciFile = 'work: { script: make }',
): Promise<ClaimedJob> {
  const api = as(attacker);
  const path = `job-${crypto.randomUUID()}`;
  const { id } = await seed.project(`attacker/${path}`, {}, { visibility: 'public' });
  await seed.push(`attacker/${path}`, { '.gitlab-ci.yml': ciFile });
  const project = (await api.get(`/projects/${id}`)).body as { runners_token: string };
  const registered = await api.post('/runners', { token: project.runners_token });
  const { token } = registered.body as { token: string };
  await api.post(`/projects/${id}/pipeline`, { ref: 'master' });
  const { body } = await as(null).post('/jobs/request', { token, info: { name: 'x' } });
  return {
    ...(body as { id: number; token: string }),
    project: `attacker/${path}`,
    runner: jobClient(url),
  };
}
