import { type Caller, isInSample, type Listing, listingsOf } from './listings.ts';
import type { BenchRequest } from './load.ts';
import type { RequestCase } from './measure.ts';
import { rootToken } from './service.ts';
import type { World } from './world.ts';

/** A listing with one filter or order, requested by one caller. */
export interface ListingCase {
  /** The endpoint, as the specification writes it. */
  readonly title: string;
  readonly name: string;
  /** The first page, and the 200th or last full one. Throws if the listing is empty. */
  readonly pages: () => Promise<readonly RequestCase[]>;
}

const goal = { kind: 'least', value: 0.5 } as const;

/** So few connections that a response's time includes no queueing. */
const connections = 4;

const perPage = 20;
const furthestPage = 200;
const longestName = 36;

/** Every listing with each filter and order; a sample of these unless `isWhole`. */
export const listingCases = (world: World, isWhole: boolean): readonly ListingCase[] =>
  listingsOf(world).flatMap((listing) =>
    listing.callers.flatMap(({ by, queries }) =>
      queries
        .filter((query) => isWhole || isInSample(by, query))
        .map((query) => listingCaseOf(world, listing, by, query)),
    ),
  );

function listingCaseOf(
  { service, twinUrl, users }: World,
  { title, path, isShort }: Listing,
  by: Caller,
  query: string,
): ListingCase {
  const headers: BenchRequest['headers'] =
    by === 'anonymous' ? {} : { 'Private-Token': by === 'admin' ? rootToken : users[by].token };
  const filter = decodeURIComponent(query) || 'no filter';
  const shortFilter = filter.length > longestName ? `${filter.slice(0, longestName - 1)}…` : filter;
  const name = `${shortFilter}, ${by}`;
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
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  const total = Number(response.headers.get('X-Total'));
  if (!(total > 0)) throw new Error(`${url} responded with ${response.status} and ${total} rows`);
  return total;
}
