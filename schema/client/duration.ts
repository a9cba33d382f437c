export { humanDuration } from '../kernel/duration.ts';
