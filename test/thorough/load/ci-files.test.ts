import { attack } from '../../support/hostile/attack.ts';
import { ciFileCases } from '../../support/hostile/ci-files.ts';

await attack(ciFileCases);
