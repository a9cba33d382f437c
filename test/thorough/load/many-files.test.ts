import { attack } from '../../support/hostile/attack.ts';
import { manyFilesCases } from '../../support/hostile/many-files.ts';

await attack(manyFilesCases);
