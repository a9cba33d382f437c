import type { JobVariable } from './job.ts';

/** The variables of a job by their names, each with what it says in full. */
export type Variables = ReadonlyMap<string, string>;

/** Longer than what the system takes as one variable. */
export const longestValue = 131_000;

const isName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A job cannot be started as it is described. */
export class UnusableJob extends Error {
  override readonly name = 'UnusableJob';
}

/**
 * The variables of a job: of several by one name the last counts, and `$NAME` and `${NAME}` in a value
 * stand for the value of another, which is empty where there is none. `$$` is `$`. What refers to
 * itself is left as it is written. Names that no shell knows are left out.
 */
export function expandVariables(given: readonly JobVariable[]): Variables {
  const written = new Map(given.map((variable) => [variable.key, variable]));
  const expanded = new Map<string, string>();
  const underWay = new Set<string>();
  const textOf = (name: string): string | null => {
    const known = expanded.get(name);
    if (known !== undefined) return known;
    const variable = written.get(name);
    if (!variable) return '';
    if (underWay.has(name)) return null;
    underWay.add(name);
    const value = variable.raw ? variable.value : expand(variable.value, textOf);
    underWay.delete(name);
    if (Buffer.byteLength(value) > longestValue) {
      throw new UnusableJob(`the variable ${name} is longer than ${longestValue} bytes`);
    }
    expanded.set(name, value);
    return value;
  };
  const names = [...written.keys()].filter((name) => isName.test(name));
  return new Map(names.map((name) => [name, (textOf(name) ?? '').replaceAll('\0', '')]));
}

/** A text with the variables that it names put in. */
export const expandText = (text: string, variables: Variables): string =>
  expand(text, (name) => variables.get(name) ?? '');

const reference = /\$(?:(\$)|\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g;

const expand = (text: string, textOf: (name: string) => string | null): string =>
  text.replace(
    reference,
    (whole, dollar?: string, braced?: string, bare?: string) =>
      dollar ?? textOf(braced ?? bare ?? '') ?? whole,
  );
