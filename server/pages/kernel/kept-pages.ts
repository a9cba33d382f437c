import { LRUCache } from 'lru-cache';
import type { DatabaseState } from '../../database-state.ts';
import type { Answer, Page, ShownPage, Visit } from './page.ts';

/** Bytes of all kept pages. */
const capacity = 32 * 1024 * 1024;

/** Milliseconds; ages such as "2 minutes ago" are part of pages. */
const keptFor = 10_000;

/** Characters of an address; longer ones are hardly visited twice. */
const longestAddress = 1_000;

interface Kept {
  readonly page: ShownPage;
  readonly state: string;
  readonly settings: Visit['settings'];
}

/** What `answer` gives to a visit, or the page that it gave to a former one. */
export type KeepPage = (visit: Visit, answer: Page['answer']) => Promise<Answer | null>;

/**
 * Keeps pages of anonymous users, each as long as the data of the service is the same (ADR 58): a popular
 * page is made once for each change. A page with a token of its browser is never kept.
 */
export function keptPages(stateOf: DatabaseState): KeepPage {
  const pages = new LRUCache<string, Kept>({ maxSize: capacity, ttl: keptFor });
  return async (visit, answer) => {
    const { viewer, settings, ctx } = visit;
    if (viewer || ctx.url.length > longestAddress) return answer(visit);
    // before the page is made: a change during that makes the page one of the past
    const state = await stateOf();
    if (state === null) return answer(visit);
    const kept = pages.get(ctx.url);
    if (kept?.state === state && kept.settings === settings) return kept.page;
    const page = await answer(visit);
    if (page && 'main' in page && !ctx.state.isNeverKept && page.refreshAfter === undefined) {
      pages.set(ctx.url, { page, state, settings }, { size: sizeOf(page) });
    }
    return page;
  };
}

const sizeOf = ({ main: { markup, insertions = [] } }: ShownPage): number =>
  insertions.reduce((total, { bytes }) => total + bytes.length, 1 + 2 * markup.length);
