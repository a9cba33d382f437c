/**
 * The maximum cost of a client's document. A field that shows loaded data costs 1, a listing its
 * rows times the cost of each row, and its total once. The facades' own documents are not limited.
 *
 * 20 units are about a millisecond, so that a document at the limit takes about a second. Measured
 * on two shared cores, in a repository of 272 commits: a listing 7 ms with HTTP, the pipelines of
 * 100 commits 1.0 ms each, a file's last commit 6 ms, contributors 6 ms, the changes of a commit
 * 31 ms, checking a CI file of 200 jobs 17 ms. The costs of git and CI are above these figures,
 * because histories and files are up to a thousand times larger.
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
const mutationCost = 500;

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
