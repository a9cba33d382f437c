import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import { invalid } from '../kernel/errors.ts';

export const RefAccess = builder.objectRef<{ readonly level: number }>('RefAccess').implement({
  description: 'The access level required for an action on a protected branch or tag.',
  fields: (t) => ({
    level: t.exposeInt('level', {
      description: 'The lowest access level that is enough.',
    }),
    description: t.string({
      description: 'The level as a text in English.',
      resolve: ({ level }) => descriptions.get(level) ?? 'No one',
    }),
  }),
});

const descriptions: ReadonlyMap<number, string> = new Map([
  [Access.developer, 'Developers + Masters'],
  [Access.master, 'Masters'],
]);

const levels: readonly number[] = [Access.none, Access.developer, Access.master];

/** Throws if a level, by the name of its field, is none of those that a rule may require. */
export function refuseOtherLevels(given: Readonly<Record<string, number>>): void {
  for (const [field, level] of Object.entries(given)) {
    if (!levels.includes(level)) throw invalid({ [field]: ['is not included in the list'] });
  }
}

/** Bytes; git's own limit is lower. */
const longestName = 1024;

/** Throws if a rule cannot have this name. */
export function refuseRuleName(name: string): void {
  if (name.trim() === '') throw invalid({ name: ["can't be blank"] });
  if (Buffer.byteLength(name) > longestName) {
    throw invalid({ name: [`is too long (maximum is ${longestName} characters)`] });
  }
}
