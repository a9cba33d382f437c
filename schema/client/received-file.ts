export { isReceivedFile, type ReceivedFile } from '../kernel/received-file.ts';
