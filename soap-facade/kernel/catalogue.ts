import type { Caller, Endpoint, FindEndpoint, Outcome } from '../../schema/client/endpoint.ts';
import type { Viewer } from '../../schema/client/execute.ts';
import { namedArguments } from './arguments.ts';
import { type Fault, globalFaults, listedFault } from './faults.ts';
import type { Method, Resource } from './resource.ts';
import { faultOf, faultsOf } from './resource-faults.ts';
import type { Value } from './value.ts';

/** A method and its REST endpoint. */
interface Bound {
  readonly method: Method;
  readonly endpoint: Endpoint;
}

interface BoundResource {
  readonly resource: Resource;
  readonly methods: ReadonlyMap<string, Bound>;
}

/** All resources. */
export interface Catalogue {
  /** Calls a method; throws a listed fault if the endpoint refuses. */
  readonly call: (path: string, args: Value, caller: Caller) => Promise<unknown>;
  /** The methods that a user may call. */
  readonly describe: (viewer: Viewer) => readonly unknown[];
  /** The faults of a resource, if the user may call any of its methods. */
  readonly faultsOf: (resourceName: string, viewer: Viewer) => readonly Fault[];
}

const mayCall = ({ endpoint }: Bound, viewer: Viewer) =>
  endpoint.access !== 'admin' || viewer.isAdmin;

function bind(resource: Resource, find: FindEndpoint): BoundResource {
  const methods = Object.entries(resource.methods).map(([name, method]) => {
    const [operation] = method;
    const endpoint = find(operation);
    if (!endpoint) throw new Error(`${resource.name}.${name}: no endpoint ${operation}`);
    return [name, { method, endpoint }] as const;
  });
  return { resource, methods: new Map(methods) };
}

function described({ resource, methods }: BoundResource, viewer: Viewer) {
  const { name, title, description = null, aliases = [] } = resource;
  const callable = [...methods].filter(([, bound]) => mayCall(bound, viewer));
  return {
    title,
    description,
    name,
    aliases,
    methods: callable.map(
      ([
        methodName,
        {
          method: [, methodTitle, details = null],
          endpoint,
        },
      ]) => ({
        title: methodTitle,
        description: details,
        path: `${name}.${methodName}`,
        name: methodName,
        aliases: aliases.map((alias) => `${alias}.${methodName}`),
        parameters: endpoint.parameters().map(({ name: parameter, type, isRequired }) => ({
          name: parameter,
          type,
          required: isRequired,
        })),
      }),
    ),
  };
}

/** Binds resources to their endpoints; throws if an endpoint does not exist. */
export function catalogueOf(resources: readonly Resource[], find: FindEndpoint): Catalogue {
  const all = resources.map((resource) => bind(resource, find));
  const byName = new Map(
    all.flatMap((bound) => {
      const { name, aliases = [] } = bound.resource;
      return [name, ...aliases].map((key) => [key, bound] as const);
    }),
  );

  const call = async (path: string, args: Value, caller: Caller): Promise<unknown> => {
    const [resourceName = '', methodName = ''] = path.split('.', 2);
    const boundResource = byName.get(resourceName);
    const bound = boundResource?.methods.get(methodName);
    if (!boundResource || !bound) throw listedFault(globalFaults.pathInvalid);
    if (!mayCall(bound, caller.viewer)) throw listedFault(globalFaults.accessDenied);
    const { endpoint, method } = bound;
    const refuse = (shown: Outcome): never => {
      throw faultOf(shown, boundResource.resource, method, endpoint.isListing);
    };
    const given = namedArguments(args, endpoint.path);
    if (!given) return refuse({ status: 400, body: { error: 'too many arguments' } });
    const outcome = await endpoint.answer(given, caller);
    if (outcome.status >= 400) return refuse(outcome);
    return outcome.status === 204 ? true : outcome.body;
  };

  return {
    call,
    describe: (viewer) =>
      all.map((bound) => described(bound, viewer)).filter(({ methods }) => methods.length > 0),
    faultsOf: (resourceName, viewer) => {
      const boundResource = byName.get(resourceName);
      if (!boundResource) throw listedFault(globalFaults.pathInvalid);
      const isOpen = [...boundResource.methods.values()].some((bound) => mayCall(bound, viewer));
      if (!isOpen) throw listedFault(globalFaults.accessDenied);
      return Object.values(faultsOf(boundResource.resource));
    },
  };
}
