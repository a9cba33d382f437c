import type { ServerResponse } from 'node:http';
import { QueueRefusal } from '../queueing/refusal.ts';
import { backgroundCaller } from '../scheduling/caller.ts';
import { type HolderLimits, heldPlaces } from '../scheduling/held-places.ts';
import { currentCaller } from '../scheduling/scope.ts';
import { busy } from './body-error.ts';

/** Requests with files, which are on the disk until their response is closed. */
export const uploadLimits: HolderLimits = { total: 200, perUser: 50, perAddress: 50 };

/** Reserves a place for the files of a request; throws a refusal if there is none. */
export type ReserveUpload = (response: ServerResponse) => void;

/** Limits the requests with files of each caller, so that slow ones fill neither the disk nor the places of others. */
export function uploadGate(limits: HolderLimits = uploadLimits): ReserveUpload {
  const places = heldPlaces(limits);
  return (response) => {
    // a closed response would never release its place
    if (response.closed) throw busy();
    try {
      response.once('close', places.take(currentCaller() ?? backgroundCaller()));
    } catch (error) {
      throw error instanceof QueueRefusal ? busy() : error;
    }
  };
}
