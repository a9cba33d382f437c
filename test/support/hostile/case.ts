import type { HostileTarget } from './target.ts';

/** One request, or a few at once, made to cost the server as much as possible. */
export interface HostileCase {
  /** What is sent, as the subject of a sentence: "262,000 commas in a YAML list". */
  readonly title: string;
  /** The statuses that are right; 0 stands for a connection that the server cut. */
  readonly expected: readonly number[];
  /** Sends it and resolves with the status of the answer, or of the worst of several. */
  readonly send: (target: HostileTarget) => Promise<number>;
}

/** The status of an answer whose body is read to its end; 0 when the connection was cut. */
export async function statusOf(response: Promise<Response>): Promise<number> {
  try {
    const answer = await response;
    for await (const _chunk of answer.body ?? []);
    return answer.status;
  } catch {
    return 0;
  }
}

/** The highest of several statuses, so that one 500 among them is seen. */
export const worstOf = async (statuses: readonly Promise<number>[]): Promise<number> =>
  Math.max(...(await Promise.all(statuses)));
