import type { RequestFacts } from '../kernel/context.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** Who calls an endpoint, whatever the wire. */
export interface Caller {
  readonly viewer: Viewer;
  readonly request: RequestFacts;
}

/** What REST would answer with; from 400 on it is a refusal, and the body says why. */
export interface Outcome {
  readonly status: number;
  /** A file is bytes. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An endpoint of REST without HTTP: other wires call the same operation by it. */
export interface Endpoint {
  /** The names of the parameters in its path, in order. */
  readonly path: readonly string[];
  /** Who may call it at all; rights on single records are judged by the core. */
  readonly access: 'anyone' | 'signed in' | 'admin';
  readonly isListing: boolean;
  /** Takes all parameters by name, those of the path too. Throws only what nobody foresaw. */
  readonly answer: (given: Readonly<Record<string, unknown>>, caller: Caller) => Promise<Outcome>;
}

/** The endpoint of a name such as `GET /projects/:id`, or null. */
export type FindEndpoint = (name: string) => Endpoint | null;
