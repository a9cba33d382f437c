import type { RequestFacts, Viewer } from '../../schema/client/execute.ts';

/** A request, and who turns out to have sent it. */
export interface Visit {
  readonly request: RequestFacts;
  viewer: Viewer | null;
}

/** Writes a value under the name of the part it is an answer in. */
export type Written = (part: string) => string;
