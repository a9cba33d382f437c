import { attack } from '../../support/hostile/attack.ts';
import { pageCases } from '../../support/hostile/pages.ts';

await attack(pageCases);
