import type { Logger } from 'pino';
import { listen } from '../prisma/listen.ts';
import type { createCredentials } from './accounts/credentials.ts';
import type { OpenSessions } from './accounts/open-sessions.ts';
import type { loadSettings } from './accounts/settings.ts';
import type { ConsentReviews } from './jobs/consent-reviews.ts';
import type { jobNews } from './jobs/job-news.ts';
import type { runnerCache } from './jobs/runner-cache.ts';
import type { Subscriptions } from './subscriptions/start.ts';

interface Remembered {
  readonly credentials: ReturnType<typeof createCredentials>;
  readonly settings: Awaited<ReturnType<typeof loadSettings>>;
  readonly runners: ReturnType<typeof runnerCache>;
  readonly news: ReturnType<typeof jobNews>;
  /** Null in processes without periodic work. */
  readonly consents: Pick<ConsentReviews, 'viewersChanged'> | null;
  readonly subscriptions: Pick<Subscriptions, 'recordNews'>;
  readonly sessions: OpenSessions;
  readonly log: Logger;
}

/**
 * Invalidates the caches of this process when another process changes their data, checks its open sessions
 * again, and passes changes of records to its subscriptions.
 */
export function listenToChanges(
  url: string,
  { credentials, settings, runners, news, consents, subscriptions, sessions, log }: Remembered,
) {
  const { recordNews: records } = subscriptions;
  const viewersChanged = (payload: string) => {
    credentials.changed(payload);
    sessions.viewersChanged(payload);
    consents?.viewersChanged(payload);
  };
  // a setting can disable password sign-in, so cached sign-ins are checked again
  const settingsChanged = () => {
    settings
      .refresh()
      .catch((error) => log.error({ err: error }, 'settings'))
      .finally(() => viewersChanged('*'));
  };
  const onNotice: Readonly<Record<string, (payload: string) => void>> = {
    millrace_viewers: viewersChanged,
    millrace_projects: sessions.projectChanged,
    millrace_settings: settingsChanged,
    millrace_runners: (payload) => runners.forget(Number(payload)),
    millrace_jobs: () => news.changed(),
    millrace_records: records.recordChanged,
    millrace_traces: records.tracesGrew,
  };
  const onGap = () => {
    settingsChanged();
    runners.forgetAll();
    news.changed();
    records.gap();
  };
  const channels = Object.keys(onNotice);
  return listen(url, channels, (channel, payload) => onNotice[channel]?.(payload), { onGap });
}
