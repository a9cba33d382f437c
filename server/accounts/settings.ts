import type { Database } from '../../prisma/client.ts';
import type { ApplicationSettings, Settings } from '../../schema/ports/settings.ts';

/** The one row of settings, held in memory and read again when the database says that it changed. */
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
    // one after the other, or what was read before a change could arrive after what was read behind it;
    // a read that has not begun yet serves everybody who asks meanwhile
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
