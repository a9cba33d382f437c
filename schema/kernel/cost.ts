/**
 * What a document that clients write may cost in all. A field that only shows what was loaded costs 1,
 * a listing its rows times what is selected of each. The documents of the facades are not charged.
 */
export const documentBudget = 20_000;

/** A statement of the database, or a read of a repository that needs no process. */
export const statementCost = 20;

/** A text of up to a megabyte, of which a page of rows holds a hundred. */
export const textCost = 100;

/** A process of git that reads what it is given. */
export const processCost = 200;

/** A write, with the statements of its transaction, its events and its webhooks. */
export const mutationCost = 500;

/** A process of git that walks a history or compares two commits. */
export const walkCost = 2_000;

/**
 * What occupies a processor or a repository for long: hashing a password, parsing a file of CI, writing
 * commits, merging. A document has room for four.
 */
export const heavyCost = 5_000;

/** Fields without a cost of their own: at the root each begins with a statement or a transaction. */
const rootCosts: Readonly<Record<string, number>> = {
  Query: statementCost,
  Mutation: mutationCost,
};

/** The cost of a field that declares none, by the type that has it. */
export const usualCost = (typeName: string): number => rootCosts[typeName] ?? 1;
