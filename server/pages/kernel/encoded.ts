export { encoded } from '../../../schema/kernel/percent-encoding.ts';
