import { openSession } from '../../prisma/client.ts';

/** The same server, another database; not with `URL`, which rejects the empty host of a Unix socket. */
export const databaseAt = (url: string, name: string): string =>
  url.replace(/^([^?]*\/)[^/?]*/, `$1${name}`);

/**
 * A fresh migrated database without rows, or a copy of `template`, and the function that drops it.
 */
export async function cloneDatabase(serverUrl: string, template = 'template') {
  const name = `t_${crypto.randomUUID().replaceAll('-', '')}`;
  const administer = async (sql: string) => {
    const session = await openSession(serverUrl);
    await session.query(sql).finally(() => session.end());
  };
  await administer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  return {
    url: databaseAt(serverUrl, name),
    drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}
