/** The object id by which git names a reference that does not exist. */
export const noObject = '0'.repeat(40);

/** Whether an id is that of no object, whatever its length. */
export const isNoObject = (id: string): boolean => /^0+$/.test(id);
