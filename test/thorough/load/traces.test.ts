import { attack } from '../../support/hostile/attack.ts';
import { traceCases } from '../../support/hostile/traces.ts';

await attack(traceCases);
