import { attack } from '../../support/hostile/attack.ts';
import { restParameterCases } from '../../support/hostile/rest-parameters.ts';

await attack(restParameterCases);
