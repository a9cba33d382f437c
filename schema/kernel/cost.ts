/**
 * The maximum cost of a client's document. A field that shows loaded data costs 1, a listing its
 * rows times the cost of each row. The facades' own documents are not limited.
 */
export const documentBudget = 20_000;

/** The maximum cost of one event of a subscription, whose document is executed again and again. */
export const eventBudget = 5_000;

/** A database statement, or a repository read that starts no process. */
export const statementCost = 20;

/** A text of up to a megabyte; a page of rows holds a hundred of them. */
export const textCost = 100;

/** A git process that reads its input only. */
export const processCost = 200;

/** A write, including its transaction, events and webhooks. */
export const mutationCost = 500;

/** A git process that walks a history or compares two commits. */
export const walkCost = 2_000;

/**
 * Work that occupies a processor or a repository for long: hashing a password, parsing a CI file,
 * writing commits, merging. A document can contain four.
 */
export const heavyCost = 5_000;

/** Fields without a cost of their own: each root field starts with a statement or a transaction. */
const rootCosts: Readonly<Record<string, number>> = {
  Query: statementCost,
  Mutation: mutationCost,
  // of each event
  Subscription: statementCost,
};

/** The cost of a field that declares none, by the type that it belongs to. */
export const usualCost = (typeName: string): number => rootCosts[typeName] ?? 1;
