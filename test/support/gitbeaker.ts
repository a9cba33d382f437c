import { Gitlab } from '@gitbeaker/rest';

/** A gitbeaker client, and the names of the methods that were called, such as `Groups.all`. */
export interface Recorded {
  readonly client: InstanceType<typeof Gitlab>;
  readonly called: ReadonlySet<string>;
}

const watched = new Set<string>();

/** A client that records the called methods, for all clients of a test file together. */
export function recordedClient(host: string, token: string): Recorded {
  const client = new Gitlab({ host, token });
  const proxied = new Proxy(client, {
    get: (resources, resource) => {
      const value = Reflect.get(resources, resource);
      if (typeof value !== 'object' || value === null) return value;
      return new Proxy(value, {
        get: (methods, name) => {
          const method = Reflect.get(methods, name);
          if (typeof method !== 'function') return method;
          return (...args: unknown[]) => {
            watched.add(`${String(resource)}.${String(name)}`);
            return method.apply(methods, args);
          };
        },
      });
    },
  });
  return { client: proxied, called: watched };
}

/** All methods of a gitbeaker resource, including inherited ones. */
export function methodsOf(client: Recorded['client'], resource: string): readonly string[] {
  const names = new Set<string>();
  let prototype = Object.getPrototypeOf(Reflect.get(client, resource));
  while (prototype && prototype !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(prototype)) names.add(name);
    prototype = Object.getPrototypeOf(prototype);
  }
  names.delete('constructor');
  return [...names].map((name) => `${resource}.${name}`).toSorted();
}
