import type { JobVariable } from './job.ts';

/** A job's variables by name, with expanded values. */
export type Variables = ReadonlyMap<string, string>;

/** Longer than the system allows for a variable. */
export const maxValueBytes = 131_000;

const isName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The job's definition cannot be run. */
export class UnusableJob extends Error {
  override readonly name = 'UnusableJob';
}

/**
 * Resolves a job's variables: the last of several with one name counts, and `$NAME` and `${NAME}`
 * in a value are expanded, to nothing if undefined. `$$` is `$`. Self-references are not expanded.
 * Names that shells do not support are skipped.
 */
export function expandVariables(given: readonly JobVariable[]): Variables {
  const written = new Map(given.map((variable) => [variable.key, variable]));
  const expanded = new Map<string, string>();
  const underWay = new Set<string>();
  const textOf = (name: string): string | null => {
    const cached = expanded.get(name);
    if (cached !== undefined) return cached;
    const variable = written.get(name);
    if (!variable) return '';
    if (underWay.has(name)) return null;
    underWay.add(name);
    const value = variable.raw ? variable.value : expand(variable.value, textOf);
    underWay.delete(name);
    if (Buffer.byteLength(value) > maxValueBytes) {
      throw new UnusableJob(`the variable ${name} is longer than ${maxValueBytes} bytes`);
    }
    expanded.set(name, value);
    return value;
  };
  const names = [...written.keys()].filter((name) => isName.test(name));
  return new Map(names.map((name) => [name, (textOf(name) ?? '').replaceAll('\0', '')]));
}

export const expandText = (text: string, variables: Variables): string =>
  expand(text, (name) => variables.get(name) ?? '');

const reference = /\$(?:(\$)|\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g;

const expand = (text: string, textOf: (name: string) => string | null): string =>
  text.replace(
    reference,
    (whole, dollar?: string, braced?: string, bare?: string) =>
      dollar ?? textOf(braced ?? bare ?? '') ?? whole,
  );
