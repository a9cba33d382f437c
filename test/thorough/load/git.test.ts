import { attack } from '../../support/hostile/attack.ts';
import { gitCases } from '../../support/hostile/git-protocol.ts';

await attack(gitCases);
