import type { Context } from '../../schema/kernel/context.ts';
import { refreshStatistics } from '../../schema/repository/statistics.ts';
import type { JobHandlers } from './queue.ts';

/** What each kind of job does; a handler is a caller of the core, as a facade is. */
export const jobHandlers = (parts: Pick<Context, 'db' | 'git'>): JobHandlers => ({
  'remove-repositories': async ({ repositories }) => {
    for (const repository of repositories) await parts.git.remove(repository);
  },
  'refresh-statistics': ({ projectId }) => refreshStatistics(projectId, parts),
});
