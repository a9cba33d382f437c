import { randomBytes } from 'node:crypto';
import type { Caller } from '../schema/client/endpoint.ts';
import {
  type Execute,
  type ReportOutage,
  refusal,
  unavailableOf,
  type Viewer,
} from '../schema/client/execute.ts';
import { graphql } from '../schema/client/graphql.ts';
import type { Catalogue } from './kernel/catalogue.ts';
import { encode } from './kernel/encode.ts';
import { globalFaults, listedFault, outageFault, SoapFault } from './kernel/faults.ts';
import type { Value } from './kernel/value.ts';
import type { EncodeResult, Visit } from './kernel/visit.ts';
import { multiCall } from './multi-call.ts';

/** Receives the parts of its message in the order of the WSDL. */
export type Operation = (given: readonly Value[], visit: Visit) => Promise<EncodeResult>;

export interface OperationParts {
  readonly execute: Execute;
  readonly catalogue: Catalogue;
  /** The user of a session; null for an unknown or expired session. */
  readonly sessionOf: (sessionId: string) => Promise<Viewer | null>;
  /** Reports unexpected errors. */
  readonly report: (error: unknown, requestId: string) => void;
  readonly reportOutage: ReportOutage;
}

const createSession = graphql(
  `mutation SoapCreateSession($username: String!, $apiKey: String!) {
    createSoapSession(username: $username, apiKey: $apiKey)
  }`,
);

const endSession = graphql(
  'mutation SoapEndSession($sessionId: String!) { endSoapSession(sessionId: $sessionId) }',
);

export const documents = [createSession, endSession];

const encoded =
  (value: unknown): EncodeResult =>
  (part) =>
    encode(part, value);

/** A required text; a number is accepted. */
function required(value: Value | undefined): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text === '') throw listedFault(globalFaults.parameterMissing);
  return text;
}

/** The eight operations (specification, "Remote-procedure (SOAP) interface"). */
export function operationsOf({
  execute,
  catalogue,
  sessionOf,
  report,
  reportOutage,
}: OperationParts) {
  const viewerOf = async (sessionId: Value | undefined): Promise<Viewer | null> =>
    typeof sessionId === 'string' ? sessionOf(sessionId) : null;

  const callerOf = async (sessionId: Value | undefined, visit: Visit) => {
    const viewer = await viewerOf(sessionId);
    if (!viewer) throw listedFault(globalFaults.sessionExpired);
    visit.viewer = viewer;
    return { viewer, request: visit.request };
  };

  const callOne = async (path: Value, args: Value, caller: Caller): Promise<unknown> => {
    try {
      return await catalogue.call(typeof path === 'string' ? path : '', args, caller);
    } catch (error) {
      // an aborted call has no caller left
      if (error instanceof SoapFault || caller.request.signal?.aborted) throw error;
      const unavailable = unavailableOf(error, reportOutage, caller.request.id);
      if (unavailable) throw outageFault(unavailable);
      report(error, caller.request.id);
      throw listedFault(globalFaults.internal);
    }
  };

  const operations = {
    /** An anonymous session id; `login` returns another. */
    startSession: async () => encoded(randomBytes(32).toString('hex')),

    login: async ([username, apiKey], { request }) => {
      const variables = { username: required(username), apiKey: required(apiKey) };
      try {
        const session = await execute(createSession, variables, null, request);
        return encoded(session.createSoapSession);
      } catch (error) {
        const rejected = refusal(error);
        if (!rejected || rejected.code === 'UNAVAILABLE') throw error;
        const { message } = globalFaults.accessDenied;
        const wait =
          rejected.retryAfter && `${message} Try again in ${rejected.retryAfter} seconds.`;
        throw listedFault(globalFaults.accessDenied, wait || message);
      }
    },

    endSession: async ([sessionId], { request }) => {
      if (typeof sessionId === 'string') await execute(endSession, { sessionId }, null, request);
      return encoded(true);
    },

    call: async ([sessionId, path = null, args = null], visit) =>
      encoded(await callOne(path, args, await callerOf(sessionId, visit))),

    multiCall: async ([sessionId, calls = null, options = null], visit) => {
      await callerOf(sessionId, visit);
      return multiCall(calls, options, visit.request, async (path, args) =>
        // a call before it may have ended the session or changed what its user may do
        callOne(path, args, await callerOf(sessionId, visit)),
      );
    },

    resources: async ([sessionId], visit) => {
      const { viewer } = await callerOf(sessionId, visit);
      return encoded(catalogue.describe(viewer));
    },

    /** The same for all users. */
    globalFaults: async () => encoded(Object.values(globalFaults)),

    /** PHP clients send the session first, regardless of the names of the parts. */
    resourceFaults: async ([first = null, second = null], visit) => {
      const isSecond = (await viewerOf(second)) !== null;
      const [sessionId, name] = isSecond ? [second, first] : [first, second];
      const { viewer } = await callerOf(sessionId, visit);
      return encoded(catalogue.faultsOf(typeof name === 'string' ? name : '', viewer));
    },
  } satisfies Record<string, Operation>;

  return new Map<string, Operation>(Object.entries(operations));
}
