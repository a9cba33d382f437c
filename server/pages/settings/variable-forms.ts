import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { splitFirst } from '../kernel/addresses.ts';
import type { Fault } from '../kernel/fault.ts';
import { orFault } from '../kernel/fault.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { saved } from '../kernel/parts.ts';
import { addVariable, changeVariable, removeVariable, type VariableOwner } from './variables.ts';

interface Shown {
  /** The list again, with the errors of the form for another variable. */
  readonly list: (fault: Fault) => Promise<Answer>;
  /** The page of one variable again. */
  readonly single: (key: string, fault: Fault) => Promise<Answer>;
}

/** Handles the forms of variables: `variables`, `variables/KEY` and `variables/KEY/remove`. */
export function submitVariable(
  visit: Visit,
  owner: VariableOwner,
  rest: string,
  shown: Shown,
): Promise<Answer> {
  const [key, action] = splitFirst(rest);
  const after = (work: Promise<unknown>) => work.then(() => saved(owner.address));
  if (key === '') return orFault(visit, () => after(addVariable(visit, owner)), shown.list);
  if (action === 'remove') return after(removeVariable(visit, owner, key));
  if (action !== '') throw pathNotFound();
  return orFault(
    visit,
    () => after(changeVariable(visit, owner, key)),
    (fault) => shown.single(key, fault),
  );
}
