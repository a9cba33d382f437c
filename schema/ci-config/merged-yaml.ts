import { stringify } from 'yaml';
import type { Mapping } from './yaml.ts';

/** Characters, about: aliases repeat what they name. */
const longest = 2 ** 20;

/**
 * A CI file as one YAML text with its aliases and merge keys resolved; null if that is too long. A
 * reader of YAML 1.1 or 1.2 reads the same values.
 */
export const mergedYaml = (mapping: Mapping): string | null =>
  lengthOf(mapping, new Map()) > longest
    ? null
    : `---\n${stringify(mapping, { version: '1.1', aliasDuplicateObjects: false, lineWidth: 0 })}`;

/** The characters of all texts of a value; what aliases repeat is measured once and counted each time. */
function lengthOf(value: unknown, measured: Map<object, number>): number {
  if (typeof value !== 'object' || value === null) return String(value).length + 1;
  const known = measured.get(value);
  if (known !== undefined) return known;
  let length = 0;
  for (const [key, part] of Object.entries(value)) length += key.length + lengthOf(part, measured);
  measured.set(value, length);
  return length;
}
