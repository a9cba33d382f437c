import type { Logger } from 'pino';
import { listen } from '../prisma/listen.ts';
import type { createCredentials } from './accounts/credentials.ts';
import type { loadSettings } from './accounts/settings.ts';
import type { jobNews } from './jobs/job-news.ts';
import type { runnerCache } from './jobs/runner-cache.ts';

interface Remembered {
  readonly credentials: ReturnType<typeof createCredentials>;
  readonly settings: Awaited<ReturnType<typeof loadSettings>>;
  readonly runners: ReturnType<typeof runnerCache>;
  readonly news: ReturnType<typeof jobNews>;
  readonly log: Logger;
}

/** Invalidates the caches of this process when another process changes their data. */
export function listenToChanges(
  url: string,
  { credentials, settings, runners, news, log }: Remembered,
) {
  // a setting can disable password sign-in, so cached sign-ins are checked again
  const settingsChanged = () => {
    settings
      .refresh()
      .catch((error) => log.error({ err: error }, 'settings'))
      .finally(() => credentials.changed('*'));
  };
  const onNotice: Readonly<Record<string, (payload: string) => void>> = {
    millrace_viewers: (payload) => credentials.changed(payload),
    millrace_settings: settingsChanged,
    millrace_runners: (payload) => runners.forget(Number(payload)),
    millrace_jobs: () => news.changed(),
  };
  const onGap = () => {
    settingsChanged();
    runners.forgetAll();
    news.changed();
  };
  const channels = Object.keys(onNotice);
  return listen(url, channels, (channel, payload) => onNotice[channel]?.(payload), { onGap });
}
