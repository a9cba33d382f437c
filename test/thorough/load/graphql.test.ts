import { attack } from '../../support/hostile/attack.ts';
import { graphqlCases } from '../../support/hostile/graphql.ts';

await attack(graphqlCases);
