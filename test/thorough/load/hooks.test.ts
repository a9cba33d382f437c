import { attack } from '../../support/hostile/attack.ts';
import { hookCases } from '../../support/hostile/hooks.ts';

await attack(hookCases);
