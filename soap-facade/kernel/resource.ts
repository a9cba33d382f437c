/** An endpoint of REST, as the specification names it: `GET /projects/:id`. */
export type OperationName = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;

/** A method of a resource; its endpoint defines everything except its name. */
export interface Method {
  readonly operation: OperationName;
  readonly title: string;
  readonly description?: string;
}

/** A resource: its description, and the endpoints of its methods. */
export interface Resource {
  /** As in paths: `issue_note`. */
  readonly name: string;
  /** Alternative names. */
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly description?: string;
  /** The noun in its fault messages: `note`. */
  readonly noun: string;
  /** By name, in the order of the list. */
  readonly methods: Readonly<Record<string, Method>>;
}
