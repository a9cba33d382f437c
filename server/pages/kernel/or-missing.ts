import { refusal } from '../../../schema/client/execute.ts';

/** The result of a query; null if what it asks for does not exist. */
export async function orMissing<Result>(result: Promise<Result>): Promise<Result | null> {
  try {
    return await result;
  } catch (error) {
    if (refusal(error)?.code === 'NOT_FOUND') return null;
    throw error;
  }
}
