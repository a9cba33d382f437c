/** An endpoint of REST, as the specification names it: `GET /projects/:id`. */
export type OperationName = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;

/** A method of a resource; everything about it but its name is the endpoint's. */
export interface Method {
  readonly operation: OperationName;
  readonly title: string;
  readonly description?: string;
}

/** A resource as data: what the service tells of it, and which operations its methods are. */
export interface Resource {
  /** As in paths: `issue_note`. */
  readonly name: string;
  /** Other names that are as good. */
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly description?: string;
  /** One of them, in the texts of its faults: `note`. */
  readonly noun: string;
  /** By name, in the order they are listed. */
  readonly methods: Readonly<Record<string, Method>>;
}
