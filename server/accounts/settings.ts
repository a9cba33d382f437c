import type { Database } from '../../prisma/client.ts';
import type { ApplicationSettings, Settings } from '../../schema/ports/settings.ts';
import { repeatedWork } from '../git/process/shared-work.ts';

/** The settings row, cached in memory and reloaded when the database notifies of a change. */
export async function loadSettings(db: Database): Promise<Settings> {
  const read = (): Promise<ApplicationSettings> =>
    db.applicationSettings.findUniqueOrThrow({ where: { id: 1 } });
  let current = await read();
  const reload = repeatedWork<void>();
  return {
    get current() {
      return current;
    },
    // sequential reads: a slow older read must not overwrite a newer one
    refresh: () =>
      reload('settings', async () => {
        current = await read();
      }),
  };
}

const aMinute = 60_000;
const aYear = 365 * 24 * 60 * aMinute;

/** Of a browser session, in milliseconds; a delay of 0 means no expiry. */
export const sessionLifetimeOf = ({ sessionExpireDelay: delay }: ApplicationSettings): number =>
  delay === 0 ? aYear : delay * aMinute;
