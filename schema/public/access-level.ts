import { GraphQLEnumType, GraphQLInt, type GraphQLType } from 'graphql';
import { Access } from '../kernel/access.ts';

/** The access levels, which the core numbers as REST does. */
const AccessLevel = new GraphQLEnumType({
  name: 'AccessLevel',
  description: 'What a user may do in a group or project. Each level includes the ones before it.',
  values: {
    NO_ACCESS: {
      value: Access.none,
      description: 'No access. For pushing to or merging into a protected branch: no user may.',
    },
    GUEST: { value: Access.guest, description: 'Reads and writes issues and comments.' },
    REPORTER: {
      value: Access.reporter,
      description: 'Reads the code too, manages issues and labels, and sees confidential issues.',
    },
    DEVELOPER: {
      value: Access.developer,
      description: 'Pushes to unprotected branches too, creates merge requests and runs pipelines.',
    },
    MASTER: {
      value: Access.master,
      description: 'Pushes to protected branches too, and manages members, settings and runners.',
    },
    OWNER: {
      value: Access.owner,
      description: 'Deletes and transfers too. Only groups and personal projects have owners.',
    },
  },
});

/** The enum for an Int of the core that is an access level, by its name; else null. */
export const accessLevelFor = (name: string, type: GraphQLType): GraphQLEnumType | null =>
  type === GraphQLInt && /(^l|L)evel$/.test(name) ? AccessLevel : null;
