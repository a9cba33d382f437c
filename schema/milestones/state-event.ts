import { builder } from '../kernel/builder.ts';

/** How an input closes or reopens an issue, merge request or milestone. */
export const StateEvent = builder.enumType('StateEvent', {
  description: 'A change of the state of an issue, merge request or milestone.',
  values: {
    close: { description: 'Closes what is open.' },
    reopen: { description: 'Opens what is closed.' },
  } as const,
});
