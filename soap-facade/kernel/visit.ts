import type { RequestFacts, Viewer } from '../../schema/client/execute.ts';

/** A request and, once known, its user. */
export interface Visit {
  readonly request: RequestFacts;
  viewer: Viewer | null;
}

/** Encodes a result, given the name of its response part. */
export type Written = (part: string) => string;
