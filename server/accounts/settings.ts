import type { Database } from '../../prisma/client.ts';
import type { ApplicationSettings, Settings } from '../../schema/ports/settings.ts';

/** The one row of settings, held in memory and read again when the database says that it changed. */
export async function loadSettings(db: Database): Promise<Settings> {
  const read = (): Promise<ApplicationSettings> =>
    db.applicationSettings.findUniqueOrThrow({ where: { id: 1 } });
  let current = await read();
  return {
    get current() {
      return current;
    },
    refresh: async () => {
      current = await read();
    },
  };
}
