import type { RequestFacts, Viewer } from '../../schema/client/execute.ts';

/** A request, and its user once the session is known. */
export interface Visit {
  readonly request: RequestFacts;
  viewer: Viewer | null;
}

/** Encodes a result, given the name of its response part. */
export type EncodeResult = (part: string) => string;
