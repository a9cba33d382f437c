import type { Database } from '../../prisma/client.ts';
import type { ApplicationSettings, Settings } from '../../schema/ports/settings.ts';

/** The settings row, cached in memory and reloaded when the database notifies of a change. */
export async function loadSettings(db: Database): Promise<Settings> {
  const read = (): Promise<ApplicationSettings> =>
    db.applicationSettings.findUniqueOrThrow({ where: { id: 1 } });
  let current = await read();
  let running: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | null = null;

  const reread = async () => {
    current = await read();
  };
  return {
    get current() {
      return current;
    },
    // sequential reads: a slow older read must not overwrite a newer one; callers share a read that
    // has not started yet
    refresh: () => {
      waiting ??= running
        .catch(() => undefined)
        .then(() => {
          waiting = null;
          running = reread();
          return running;
        });
      return waiting;
    },
  };
}
