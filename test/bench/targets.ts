import type { Session } from '../../prisma/client.ts';

interface ResourceId {
  readonly id: number;
}

/** Groups and projects that the cases request by id. */
export interface BenchTargets {
  /** A public group with a twentieth of all projects and 800 members. */
  readonly topGroup: ResourceId;
  /** A public group with 200 subgroups. */
  readonly wideGroup: ResourceId;
  /** A public project in `topGroup` with 500 direct members. */
  readonly crowdedProject: ResourceId;
  /** A query for one user by LDAP identity. */
  readonly identity: string;
}

export async function findBenchTargets(session: Session): Promise<BenchTargets> {
  const row = async (statement: string) => {
    const { rows } = await session.query(statement);
    if (rows.length !== 1) throw new Error(`not exactly one row for ${statement}`);
    return rows[0];
  };
  const { extern_uid: uid } = await row('SELECT extern_uid FROM identities ORDER BY id LIMIT 1');
  return {
    topGroup: await row(`SELECT id FROM namespaces WHERE full_path = 'team-1'`),
    wideGroup: await row(
      `SELECT parent_id AS id FROM namespaces WHERE kind = 'group'
       GROUP BY parent_id HAVING count(*) >= 200`,
    ),
    crowdedProject: await row(
      `SELECT project_id AS id FROM members WHERE project_id IS NOT NULL
       GROUP BY project_id ORDER BY count(*) DESC LIMIT 1`,
    ),
    identity: `provider=ldapmain&extern_uid=${encodeURIComponent(uid)}`,
  };
}
