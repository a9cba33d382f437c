export { formatDuration as humanDuration } from '../kernel/duration.ts';
