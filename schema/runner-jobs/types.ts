import type { CiArtifacts, CiCache, CiImage, CiService } from '../ci-config/ci-file.ts';
import { builder } from '../kernel/builder.ts';
import type { JobRequestResult } from './assign-job.ts';
import type { EarlierJob, JobOffer, JobStep } from './offer.ts';
import type { JobVariable } from './variables.ts';

const Variable = builder.objectRef<JobVariable>('JobVariable').implement({
  fields: (t) => ({
    key: t.exposeString('key'),
    value: t.exposeString('value'),
    isPublic: t.exposeBoolean('isPublic', { description: 'Traces may show it.' }),
    isRaw: t.exposeBoolean('isRaw', { description: 'Other variables are not put into its value.' }),
  }),
});

const Step = builder.objectRef<JobStep>('JobStep').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    script: t.stringList({ resolve: ({ script }) => script }),
    timeout: t.exposeInt('timeout', { description: 'Seconds.' }),
    when: t.exposeString('when'),
    isAllowedToFail: t.exposeBoolean('isAllowedToFail'),
  }),
});

const Image = builder.objectRef<CiImage>('JobImage').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    entrypoint: t.stringList({ nullable: true, resolve: ({ entrypoint }) => entrypoint }),
  }),
});

const Service = builder.objectRef<CiService>('JobService').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    entrypoint: t.stringList({ nullable: true, resolve: ({ entrypoint }) => entrypoint }),
    alias: t.exposeString('alias', { nullable: true }),
    command: t.stringList({ nullable: true, resolve: ({ command }) => command }),
  }),
});

const Artifacts = builder.objectRef<CiArtifacts>('JobArtifactsWanted').implement({
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true }),
    isUntracked: t.exposeBoolean('isUntracked'),
    paths: t.stringList({ resolve: ({ paths }) => paths }),
    when: t.exposeString('when'),
    expireIn: t.exposeString('expireIn', { nullable: true }),
  }),
});

const Cache = builder.objectRef<CiCache>('JobCache').implement({
  fields: (t) => ({
    key: t.exposeString('key'),
    isUntracked: t.exposeBoolean('isUntracked'),
    paths: t.stringList({ resolve: ({ paths }) => paths }),
    policy: t.exposeString('policy'),
  }),
});

const Earlier = builder.objectRef<EarlierJob>('EarlierJob').implement({
  fields: (t) => ({
    id: t.exposeInt('id', { extensions: { identifies: 'Job' } }),
    name: t.exposeString('name'),
    token: t.exposeString('token'),
    artifactsFile: t.exposeString('artifactsFile', { nullable: true }),
    artifactsSize: t.expose('artifactsSize', { type: 'ByteCount', nullable: true }),
  }),
});

const Offer = builder.objectRef<JobOffer>('JobOffer').implement({
  description: 'Everything that a runner has to know of a job.',
  fields: (t) => ({
    id: t.exposeInt('id', { extensions: { identifies: 'Job' } }),
    token: t.exposeString('token', { description: 'By which the runner speaks for it.' }),
    name: t.exposeString('name'),
    stage: t.exposeString('stage'),
    projectId: t.exposeInt('projectId'),
    projectName: t.exposeString('projectName'),
    repositoryUrl: t.exposeString('repositoryUrl', { description: 'With the token in it.' }),
    ref: t.exposeString('ref'),
    isTag: t.exposeBoolean('isTag'),
    sha: t.exposeString('sha'),
    beforeSha: t.exposeString('beforeSha'),
    refspecs: t.stringList({
      description: 'Arguments of `git fetch` that bring the commit.',
      resolve: ({ refspecs }) => refspecs,
    }),
    depth: t.exposeInt('depth', { description: 'Commits of history to fetch; 0: all.' }),
    timeout: t.exposeInt('timeout', { description: 'Seconds.' }),
    variables: t.field({ type: [Variable], resolve: ({ variables }) => variables }),
    steps: t.field({ type: [Step], resolve: ({ steps }) => steps }),
    image: t.field({ type: Image, nullable: true, resolve: ({ image }) => image }),
    services: t.field({ type: [Service], resolve: ({ services }) => services }),
    artifacts: t.field({ type: Artifacts, nullable: true, resolve: ({ artifacts }) => artifacts }),
    cache: t.field({ type: Cache, nullable: true, resolve: ({ cache }) => cache }),
    dependencies: t.field({ type: [Earlier], resolve: ({ dependencies }) => dependencies }),
  }),
});

export const JobRequestResultType = builder
  .objectRef<JobRequestResult>('JobRequestResult')
  .implement({
    description: 'The response to a runner that requests a job.',
    fields: (t) => ({
      lastUpdate: t.exposeString('lastUpdate', {
        nullable: true,
        description: "The `lastUpdate` of the runner's next request; null with a job.",
      }),
      job: t.field({
        type: Offer,
        nullable: true,
        description: 'The assigned job; null if there is none for the runner.',
        resolve: ({ job }) => job,
      }),
    }),
  });
