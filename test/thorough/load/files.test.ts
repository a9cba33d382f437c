import { attack } from '../../support/hostile/attack.ts';
import { fileCases } from '../../support/hostile/files.ts';

await attack(fileCases);
