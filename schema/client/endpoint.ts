import type { RequestFacts } from '../kernel/context.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** The caller of an endpoint, over any interface. */
export interface Caller {
  readonly viewer: Viewer;
  readonly request: RequestFacts;
}

/** The status and body of the REST response; from 400 on the body is an error. */
export interface Outcome {
  readonly status: number;
  /** A file is bytes. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A parameter of an endpoint. */
export interface EndpointParameter {
  readonly name: string;
  /** `string`, `integer`, `number`, `boolean`, `array` or `object`, as in JSON; `file` for bytes. */
  readonly type: string;
  readonly isRequired: boolean;
}

/** A REST endpoint without HTTP: other interfaces call the same operation through it. */
export interface Endpoint {
  /** The names of the parameters in its path, in order. */
  readonly path: readonly string[];
  /** Who may call it at all; the core checks access to single records. */
  readonly access: 'anyone' | 'signed in' | 'admin';
  readonly isListing: boolean;
  /** Its parameters, first those of the path. */
  readonly parameters: () => readonly EndpointParameter[];
  /** Expects all parameters by name, including those of the path. Throws unexpected errors only. */
  readonly answer: (given: Readonly<Record<string, unknown>>, caller: Caller) => Promise<Outcome>;
}

/** The endpoint with a name such as `GET /projects/:id`, or null. */
export type FindEndpoint = (name: string) => Endpoint | null;
