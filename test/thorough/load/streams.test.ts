import { attack } from '../../support/hostile/attack.ts';
import { streamCases } from '../../support/hostile/streams.ts';

await attack(streamCases);
