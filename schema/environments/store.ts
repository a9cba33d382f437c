import type { Transaction } from '../../prisma/client.ts';
import { environmentSlug } from './slug.ts';

/** A slug is taken only by a renamed environment, or by a collision of hashes. */
const mostAttempts = 5;

interface NewEnvironment {
  readonly projectId: number;
  readonly name: string;
  readonly externalUrl?: string | null;
}

/** Creates an environment with a free slug; null if the name is taken. */
export async function storeEnvironment(
  tx: Transaction,
  { projectId, name, externalUrl = null }: NewEnvironment,
): Promise<{ readonly id: number; readonly slug: string } | null> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const slug = environmentSlug(name, attempt);
    // also waits for a concurrent creation, whose environment is then there
    const [created] = await tx.$queryRaw<{ id: number }[]>`
      INSERT INTO environments (project_id, name, slug, external_url, updated_at)
      VALUES (${projectId}, ${name}, ${slug}, ${externalUrl}, now())
      ON CONFLICT DO NOTHING RETURNING id`;
    if (created) return { id: created.id, slug };
    const where = { projectId_name: { projectId, name } };
    if (await tx.environment.findUnique({ where, select: { id: true } })) return null;
  }
  throw new Error(`no slug is free for the environment ${name}`);
}
