import type { HostileTarget } from './target.ts';

/** One request, or a few in parallel, designed to cost the server as much as possible. */
export interface HostileCase {
  /** The payload, such as "262,000 commas in a YAML list". */
  readonly title: string;
  /** The allowed statuses; 0 means that the server closed the connection. */
  readonly expected: readonly number[];
  /** Sends it and resolves with the status, or with the highest of several. */
  readonly send: (target: HostileTarget) => Promise<number>;
}

/** The status of a response after its whole body is read; 0 if the connection was cut. */
export async function statusOf(pending: Promise<Response>): Promise<number> {
  try {
    const response = await pending;
    for await (const _chunk of response.body ?? []);
    return response.status;
  } catch {
    return 0;
  }
}

/** The highest of several statuses, so that a 500 among them fails the test. */
export const worstOf = async (statuses: readonly Promise<number>[]): Promise<number> =>
  Math.max(...(await Promise.all(statuses)));
