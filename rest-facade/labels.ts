import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { labelFields } from './entities/label.ts';
import { forSources, type SourceParent } from './entities/source.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { atLeastOne, required } from './kernel/rules.ts';

const list = graphql(
  `query Labels($source: GroupOrProject!, $search: String, $page: Int, $perPage: Int) {
    page: labels(source: $source, filter: { search: $search }, page: $page, perPage: $perPage) {
      total nodes { ...LabelFields }
    }
  }`,
  [labelFields],
);

const show = graphql(
  `query Label($source: GroupOrProject!, $label_id: ID!) {
    result: label(source: $source, label: $label_id) { ...LabelFields }
  }`,
  [labelFields],
);

const create = graphql(
  `mutation CreateLabel(
    $source: GroupOrProject!, $name: String!, $color: String!, $description: String, $priority: Int
  ) {
    result: createLabel(
      source: $source, name: $name, color: $color, description: $description, priority: $priority
    ) { ...LabelFields }
  }`,
  [labelFields],
);

const update = graphql(
  `mutation UpdateLabel(
    $source: GroupOrProject!, $label: LabelReference!, $new_name: String, $color: String,
    $description: String, $priority: Int
  ) {
    result: updateLabel(
      source: $source, label: $label, name: $new_name, color: $color,
      description: $description, priority: $priority
    ) { ...LabelFields }
  }`,
  [labelFields],
);

const remove = graphql(
  `mutation DeleteLabel($source: GroupOrProject!, $label: LabelReference!) {
    deleteLabel(source: $source, label: $label)
  }`,
);

const subscribe = graphql(
  `mutation SubscribeToLabel($source: GroupOrProject!, $label_id: ID!) {
    subscription: subscribeToLabel(source: $source, label: $label_id) {
      hasChanged result: label { ...LabelFields }
    }
  }`,
  [labelFields],
);

const unsubscribe = graphql(
  `mutation UnsubscribeFromLabel($source: GroupOrProject!, $label_id: ID!) {
    subscription: unsubscribeFromLabel(source: $source, label: $label_id) {
      hasChanged result: label { ...LabelFields }
    }
  }`,
  [labelFields],
);

/** Null or '' clears the priority. */
const details = {
  description: p.orNone(p.text()).optional(),
  priority: p.orNone(p.int()).optional(),
};

const change = { new_name: p.text().optional(), color: p.text().optional(), ...details };

/** A label's reference: old clients send its name as a parameter, newer ones its id. */
const named = {
  name: p.text().optional(),
  label_id: p.id().describe('The id of the label, in place of its name.').optional(),
};

interface Named {
  readonly name?: string | undefined;
  readonly label_id?: number | undefined;
}

const withReference = <Input extends Named>({ name, label_id: id, ...rest }: Input) => ({
  ...rest,
  label: id === undefined ? { name: name ?? '' } : { idOrName: String(id) },
});

const faultNames = { name: 'title' };

const labelParams = {
  ...ref,
  label_id: p.text({ isFilled: true }).describe('The id or the name of the label.'),
};

interface One {
  readonly label_id: string;
}

const withOne = <Input extends One>({ label_id: idOrName, ...rest }: Input) => ({
  ...rest,
  label: { idOrName },
});

/** Labels of projects and of groups: the same routes below another parent (v4-behaviour 3.6). */
function labelRoutes({ name: parent, noun, path, variables }: SourceParent) {
  const all = { access: 'signed in', path: `${path}/labels` } as const;
  const single = { access: 'signed in', path: `${path}/labels/:label_id` } as const;
  const changeable = [
    'new_name',
    'color',
    'description',
    ...(parent === 'projects' ? (['priority'] as const) : []),
  ] as const;
  /** Labels of groups have no priority. */
  const written = <
    Input extends { readonly id: string; readonly priority?: number | null | undefined },
  >(
    input: Input,
  ) => variables(parent === 'groups' ? { ...input, priority: undefined } : input);
  return [
    route({
      ...all,
      method: 'get',
      params: z.object({ ...ref, search: p.text().optional() }),
      document: list,
      variables,
    }),
    route({
      ...single,
      method: 'get',
      params: z.object(labelParams),
      document: show,
      variables,
    }),
    route({
      ...all,
      method: 'post',
      params: z.object({ ...ref, name: p.text(), color: p.text(), ...details }),
      statuses: [409],
      document: create,
      faultNames,
      variables: written,
    }),
    route({
      ...all,
      method: 'put',
      params: atLeastOne(
        required(z.object({ ...ref, ...named, ...change }), 'name', 'label_id'),
        ...changeable,
      ),
      title: `Update a label of a ${noun} by its name`,
      isDeprecated: true,
      document: update,
      faultNames,
      variables: (params) => written(withReference(params)),
    }),
    route({
      ...single,
      method: 'put',
      params: atLeastOne(z.object({ ...labelParams, ...change }), ...changeable),
      document: update,
      faultNames,
      variables: (params) => written(withOne(params)),
    }),
    route({
      ...all,
      method: 'delete',
      params: required(z.object({ ...ref, ...named }), 'name', 'label_id'),
      title: `Delete a label of a ${noun} by its name`,
      isDeprecated: true,
      document: remove,
      variables: (params) => variables(withReference(params)),
    }),
    route({
      ...single,
      method: 'delete',
      params: z.object(labelParams),
      document: remove,
      variables: (params) => variables(withOne(params)),
    }),
    ...([subscribe, unsubscribe] as const).map((document) =>
      route({
        access: 'signed in',
        path: `${single.path}/${document === subscribe ? 'subscribe' : 'unsubscribe'}`,
        method: 'post',
        params: z.object(labelParams),
        document,
        statuses: [201, 304],
        variables,
        status: ({ subscription }) => (subscription.hasChanged ? 201 : 304),
      }),
    ),
  ];
}

export const labels = forSources(labelRoutes);
