import type Koa from 'koa';
import { explain, refused } from '../../rest-facade/kernel/errors.ts';
import type { JobsProject } from '../../rest-facade/kernel/job-tokens.ts';
import type { Outcome } from '../../schema/client/endpoint.ts';
import { requestFacts } from '../../schema/client/request-facts.ts';
import type { Context } from '../../schema/kernel/context.ts';
import { viewerOfJob } from '../../schema/kernel/viewer.ts';
import { findJobOfProject } from '../../schema/runner-jobs/credentials.ts';
import type { Credential } from '../../schema/sessions/viewer.ts';
import type { Credentials } from '../accounts/credentials.ts';

type Core = Pick<Context, 'db' | 'secrets' | 'request' | 'signInLimits'>;

/** The credential of the job whose token a request has, or a refusal; null without such a token. */
export type JobAuthentication = (ctx: Koa.Context) => Promise<Credential | Outcome | null>;

/**
 * Authenticates running jobs at the endpoints that they may call: with the rights of a job, about the
 * job's own project.
 */
export const jobAuthentication =
  (
    projectOf: JobsProject,
    core: Core,
    credentials: Pick<Credentials, 'ofName'>,
  ): JobAuthentication =>
  async (ctx) => {
    const token = ctx.get('Job-Token');
    const project = token === '' ? null : projectOf(ctx.method, ctx.path);
    if (project === null) return null;
    try {
      const job = await findJobOfProject(token, project, {
        ...core,
        request: requestFacts(ctx),
      });
      const user = await credentials.ofName(String(job.userId));
      // a blocked user
      if (!user) return refused.anonymous;
      return { viewer: viewerOfJob(user, job), kind: 'job', scopes: ['api'], expiresAt: null };
    } catch (error) {
      const outcome = explain(error);
      if (!outcome) throw error;
      return outcome;
    }
  };
