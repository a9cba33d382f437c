/** Maximum characters of all jobs together: each repeats the variables and first commands of the file. */
export const maxJobCharacters = 8 * 2 ** 20;

export const jobsTooLarge = 'The jobs are too large together';
