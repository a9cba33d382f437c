import { ensureEnvironment, recordJobEnvironment } from '../environments/job-environment.ts';
import type { Context } from '../kernel/context.ts';
import { type JobOffer, type Offered, offerOf } from './offer.ts';
import type { OfferSources } from './offer-sources.ts';

const variableOf = ({ variables }: JobOffer, name: string): string | undefined =>
  variables.findLast(({ key }) => key === name)?.value;

/**
 * Creates and records the environment of an assigned job, before its runner receives the offer, which
 * is returned: a renamed environment keeps its slug. After a kill in between, the job is assigned
 * again.
 */
export async function recordEnvironment(
  sources: OfferSources,
  offer: JobOffer,
  offered: Offered,
  ctx: Context,
): Promise<JobOffer> {
  if (!sources.definition.environment) return offer;
  const name = variableOf(offer, 'CI_ENVIRONMENT_NAME') ?? '';
  const environment = await ensureEnvironment({ projectId: sources.project.id, name }, ctx);
  if (!environment) return offer;
  const { slug } = environment;
  const isSame = variableOf(offer, 'CI_ENVIRONMENT_SLUG') === slug;
  const finalOffer = isSame ? offer : offerOf({ ...sources, environmentSlug: slug }, offered, ctx);
  const url = variableOf(finalOffer, 'CI_ENVIRONMENT_URL') ?? null;
  await recordJobEnvironment(offer.id, environment, url, ctx);
  return finalOffer;
}
