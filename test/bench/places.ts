import type { Session } from '../../prisma/client.ts';

interface Place {
  readonly id: number;
}

/** Things that the cases ask for by their id. */
export interface Places {
  /** A public group with a twentieth of all projects and 800 members. */
  readonly topGroup: Place;
  /** A public group with 200 subgroups. */
  readonly wideGroup: Place;
  /** A public project in the first of these, with 500 members of its own. */
  readonly crowdedProject: Place;
  /** How a directory knows somebody, as a query. */
  readonly identity: string;
}

export async function findPlaces(session: Session): Promise<Places> {
  const one = async (statement: string) => {
    const { rows } = await session.query(statement);
    if (rows.length !== 1) throw new Error(`nothing for ${statement}`);
    return rows[0];
  };
  const { extern_uid: uid } = await one('SELECT extern_uid FROM identities ORDER BY id LIMIT 1');
  return {
    topGroup: await one(`SELECT id FROM namespaces WHERE full_path = 'team-1'`),
    wideGroup: await one(
      `SELECT parent_id AS id FROM namespaces WHERE kind = 'group'
       GROUP BY parent_id HAVING count(*) >= 200`,
    ),
    crowdedProject: await one(
      `SELECT project_id AS id FROM members WHERE project_id IS NOT NULL
       GROUP BY project_id ORDER BY count(*) DESC LIMIT 1`,
    ),
    identity: `provider=ldapmain&extern_uid=${encodeURIComponent(uid)}`,
  };
}
