/** The object id that git uses for a reference that does not exist. */
export const noObject = '0'.repeat(40);

/** Whether an id consists of zeros only, whatever its length. */
export const isNoObject = (id: string): boolean => /^0+$/.test(id);
