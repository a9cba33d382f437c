import { type Asker, isUsual, type Listing, listingsOf } from './listings.ts';
import type { BenchRequest } from './load.ts';
import type { RequestCase } from './measure.ts';
import { rootToken } from './service.ts';
import type { World } from './world.ts';

/** A listing with one filter or order, asked for by one person. */
export interface ListingQuestion {
  /** The listing, as the specification writes it. */
  readonly title: string;
  readonly name: string;
  /** Its first page, and its 200th or the last full one. Throws where nothing is found. */
  readonly pages: () => Promise<readonly RequestCase[]>;
}

const goal = { kind: 'least', value: 0.5 } as const;

/** Few enough that an answer's time is its own and not that of those before it. */
const connections = 4;

const perPage = 20;
const furthestPage = 200;
const longestName = 36;

/** Every listing with each filter and order; some of each unless `isWhole`. */
export const listingQuestions = (world: World, isWhole: boolean): readonly ListingQuestion[] =>
  listingsOf(world).flatMap((listing) =>
    listing.asked.flatMap(({ by, queries }) =>
      queries
        .filter((query) => isWhole || isUsual(by, query))
        .map((query) => questionOf(world, listing, by, query)),
    ),
  );

function questionOf(
  { service, twinUrl, people }: World,
  { title, path, isShort }: Listing,
  by: Asker,
  query: string,
): ListingQuestion {
  const headers: BenchRequest['headers'] =
    by === 'anonymous' ? {} : { 'Private-Token': by === 'admin' ? rootToken : people[by].token };
  const words = decodeURIComponent(query) || 'no filter';
  const shown = words.length > longestName ? `${words.slice(0, longestName - 1)}…` : words;
  const name = `${shown}, ${by}`;
  const first = `/api/v4${path}${query && `?${query}`}`;
  const pageOf = (page: number): RequestCase => ({
    name: `${name}, page ${page}`,
    urls: [service.url, twinUrl],
    requests: [{ path: page === 1 ? first : `${first}${query ? '&' : '?'}page=${page}`, headers }],
    goal,
    connections,
  });
  return {
    title,
    name,
    pages: async () => {
      const total = await totalOf(`${service.url}${first}`, headers);
      const last = Math.min(Math.floor(total / perPage), furthestPage);
      const hasLast = last > 1 && (!isShort || query === '');
      return hasLast ? [pageOf(1), pageOf(last)] : [pageOf(1)];
    },
  };
}

async function totalOf(url: string, headers: BenchRequest['headers']): Promise<number> {
  const answer = await fetch(url, { headers });
  await answer.arrayBuffer();
  const total = Number(answer.headers.get('X-Total'));
  if (!(total > 0)) throw new Error(`${url} answered ${answer.status} and ${total} rows`);
  return total;
}
