import type { Database } from '../../prisma/client.ts';
import type { OpenSessions } from '../accounts/open-sessions.ts';
import type { Logger } from '../log.ts';
import { openStreams, type SubscriptionLimits, subscriptionLimits } from './open-streams.ts';
import { recordNews } from './record-news.ts';

export type Subscriptions = ReturnType<typeof startSubscriptions>;

/** The subscriptions of this process: what they wait for, and their open streams. */
export function startSubscriptions(
  db: Database,
  log: Logger,
  sessions: Pick<OpenSessions, 'watch'>,
  limits: Partial<SubscriptionLimits> = {},
) {
  const news = recordNews(db, (error) => log.warn({ err: error }, 'subscriptions'));
  const streams = openStreams({ ...subscriptionLimits, ...limits }, sessions);
  return {
    recordNews: news,
    streams,
    stop: () => {
      news.stop();
      streams.stop();
    },
  };
}
