export { networkOf } from '../scheduling/network.ts';
