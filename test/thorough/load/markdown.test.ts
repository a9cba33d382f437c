import { attack } from '../../support/hostile/attack.ts';
import { markdownCases } from '../../support/hostile/markdown.ts';

await attack(markdownCases);
