import { graphql } from '../../../schema/client/graphql.ts';
import { forbidden, invalid, pathNotFound } from '../../../schema/kernel/errors.ts';
import type { Owner } from '../frame/owner.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf, markdownField, otherFaults } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';
import { signInAddress } from '../kernel/return-to.ts';
import { isDay } from '../kernel/times.ts';
import { findMilestone } from './find-milestone.ts';
import { canAdministerMilestones } from './milestone-rights.ts';

const create = graphql(`mutation CreateShownMilestone(
  $source: GroupOrProject!, $title: String!, $description: String, $startDate: Date, $dueDate: Date
) {
  createMilestone(
    source: $source, title: $title, description: $description
    startDate: $startDate, dueDate: $dueDate
  ) { iid }
}`);

const update = graphql(`mutation UpdateShownMilestone(
  $source: GroupOrProject!, $id: Int!, $title: String!, $description: String
  $startDate: Date, $dueDate: Date
) {
  updateMilestone(
    source: $source, id: $id, title: $title, description: $description
    startDate: $startDate, dueDate: $dueDate
  ) { iid }
}`);

const changeState = graphql(`mutation ChangeMilestoneState(
  $source: GroupOrProject!, $id: Int!, $event: StateEvent!
) {
  updateMilestone(source: $source, id: $id, stateEvent: $event) { iid }
}`);

const remove = graphql(`mutation DeleteShownMilestone($source: GroupOrProject!, $id: Int!) {
  deleteMilestone(source: $source, id: $id)
}`);

interface Draft {
  readonly title: string;
  readonly description: string;
  readonly startDate: string;
  readonly dueDate: string;
}

const blank: Draft = { title: '', description: '', startDate: '', dueDate: '' };

const draftIn = ({ form }: Visit): Draft => ({
  title: form.title ?? '',
  description: form.description ?? '',
  startDate: form.start_date ?? '',
  dueDate: form.due_date ?? '',
});

/** The draft as the core takes it; throws if a date is none. */
function inputOf({ title, description, startDate, dueDate }: Draft) {
  const isValid = (text: string) => text === '' || isDay(text);
  if (!isValid(startDate)) throw invalid({ startDate: ['is not a date'] });
  if (!isValid(dueDate)) throw invalid({ dueDate: ['is not a date'] });
  return { title, description, startDate: startDate || null, dueDate: dueDate || null };
}

/** The form of a new milestone. */
export async function newMilestone(visit: Visit, owner: Owner): Promise<Answer> {
  if (!visit.viewer) return { redirect: signInAddress(visit) };
  if (!(await canAdministerMilestones(visit, owner))) throw forbidden();
  return formPage(visit, owner, null, blank);
}

/** The form of a milestone at `edit`. */
export async function editMilestone(
  visit: Visit,
  owner: Owner,
  iid: number,
  part: string,
): Promise<Answer> {
  if (part !== 'edit') throw pathNotFound();
  const milestone = await findMilestone(visit, owner, iid);
  if (!(await canAdministerMilestones(visit, owner))) throw forbidden();
  const { title, description, startDate, dueDate } = milestone;
  return formPage(visit, owner, iid, {
    title,
    description: description ?? '',
    startDate: startDate ?? '',
    dueDate: dueDate ?? '',
  });
}

function formPage(
  visit: Visit,
  owner: Owner,
  iid: number | null,
  draft: Draft,
  fault?: Fault,
): Answer {
  const heading = iid === null ? 'New milestone' : 'Edit milestone';
  const address = owner.address(visit, 'milestones', ...(iid === null ? [] : [String(iid)]));
  const faults = fault?.fields ?? {};
  const place = owner.isProject ? { projectAddress: owner.address(visit) } : {};
  const controls = html`${field({ name: 'title', label: 'Title', value: draft.title, isRequired: true, fault: faultText(faults, 'title', 'Title') })}
${markdownField({ name: 'description', label: 'Description', value: draft.description, ...place })}
${field({ name: 'start_date', label: 'Start date', type: 'date', value: draft.startDate, fault: faultText(faults, 'startDate', 'Start date') })}
${field({ name: 'due_date', label: 'Due date', type: 'date', value: draft.dueDate, fault: faultText(faults, 'dueDate', 'Due date') })}`;
  const submit = iid === null ? 'Create milestone' : 'Save milestone';
  const main = html`<h1>${heading}</h1>
${fault && alert(fault.text ?? otherFaults(faults, ['title', 'startDate', 'dueDate']))}
${formOf(visit, { address, submit, cancel: address }, controls)}`;
  const page = owner.page(visit, 'milestones', heading, main);
  return fault ? { ...page, status: fault.status } : page;
}

/** Handles the forms of milestones. */
export async function submitToMilestones(
  visit: Visit,
  owner: Owner,
  rest: string,
): Promise<Answer> {
  const list = owner.address(visit, 'milestones');
  const { source } = owner;
  const draft = draftIn(visit);
  if (rest === '') {
    const work = async () => {
      const { createMilestone } = await visit.ask(create, { source, ...inputOf(draft) });
      return { redirect: `${list}/${createMilestone.iid}` };
    };
    return orFault(visit, work, (fault) => formPage(visit, owner, null, draft, fault));
  }
  const [number, action] = splitFirst(rest);
  const iid = numberIn(number);
  const { id } = await findMilestone(visit, owner, iid);
  const redirect = `${list}/${iid}`;
  if (action === '') {
    const work = async () => {
      await visit.ask(update, { source, id, ...inputOf(draft) });
      return { redirect };
    };
    return orFault(visit, work, (fault) => formPage(visit, owner, iid, draft, fault));
  }
  if (action === 'close' || action === 'reopen') {
    await visit.ask(changeState, { source, id, event: action });
    return { redirect };
  }
  if (action !== 'delete') throw pathNotFound();
  await visit.ask(remove, { source, id });
  return { redirect: list };
}
