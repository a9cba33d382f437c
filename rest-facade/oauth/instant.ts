/** Seconds since 1970, as in OAuth. */
export const seconds = (instant: string): number => Math.floor(Date.parse(instant) / 1000);
