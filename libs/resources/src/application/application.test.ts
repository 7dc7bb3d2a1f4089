import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { applicationName, hydratedBranchOf, parseApplication } from './application.ts'
import type { Resource } from '../resource.ts'

function application(spec: Record<string, unknown>): Resource {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      namespace: 'argocd',
      name: 'guestbook',
      annotations: { 'argocd.argoproj.io/hydrate': 'normal' },
    },
    spec,
  }
}

const drySource = { repoURL: 'https://git/dry', targetRevision: 'HEAD', path: 'apps/guestbook' }
const syncSource = { targetBranch: 'env/dev', path: 'guestbook' }

function branchOf(sourceHydrator: object) {
  return hydratedBranchOf(parseApplication(application({ sourceHydrator })))
}

function errorsOf(spec: Record<string, unknown>): string[] {
  try {
    parseApplication(application(spec))
  } catch (error) {
    assert.ok(error instanceof InvalidInputError)
    return error.message.replace('Application argocd/guestbook: ', '').split('; ')
  }
  return []
}

test('an Application is read with all that Wadi uses of it', () => {
  const resource = application({
    project: 'team',
    destination: { server: 'https://cluster', namespace: 'web' },
    sourceHydrator: {
      drySource: { ...drySource, helm: { valueFiles: ['values.yaml'] } },
      syncSource: { ...syncSource, repoURL: 'https://git/wet' },
      hydrateTo: { targetBranch: 'env/dev-next' },
    },
    syncPolicy: { automated: {} },
  })
  assert.deepEqual(parseApplication(resource), {
    metadata: resource.metadata,
    annotations: { 'argocd.argoproj.io/hydrate': 'normal' },
    project: 'team',
    destination: { server: 'https://cluster', namespace: 'web' },
    hydrated: {
      drySource: { ...drySource, helm: { valueFiles: ['values.yaml'] } },
      syncSource: { ...syncSource, repoURL: 'https://git/wet' },
      hydrateTo: { targetBranch: 'env/dev-next' },
    },
    sources: ['https://git/dry'],
    hasSource: false,
    hasSources: false,
    syncPolicy: { automated: {} },
  })
})

test('an Application without sourceHydrator is accepted and not hydrated', () => {
  const app = parseApplication(application({ source: { repoURL: 'https://git/x' } }))
  assert.deepEqual([app.hydrated, app.hasSource, app.project], [undefined, true, 'default'])
  assert.equal(hydratedBranchOf(app), undefined)
  assert.equal(applicationName(app), 'argocd/guestbook')
})

test('the hydrated branch is that of hydrateTo, else of syncSource, in the repository of syncSource, else the dry one', () => {
  assert.deepEqual(branchOf({ drySource, syncSource }), { repoUrl: 'https://git/dry', branch: 'env/dev' })
  assert.deepEqual(
    branchOf({
      drySource,
      syncSource: { ...syncSource, repoURL: 'https://git/wet' },
      hydrateTo: { targetBranch: 'next' },
    }),
    { repoUrl: 'https://git/wet', branch: 'next' },
  )
})

test('all errors are reported at once with their field paths', () => {
  assert.deepEqual(
    errorsOf({
      project: 7,
      source: { repoURL: 'https://git/x' },
      sources: [{}],
      sourceHydrator: { drySource: { chart: 'redis', ref: 'values', helm: [] }, hydrateTo: {} },
    }),
    [
      'spec.project must be a string, not a number',
      'spec.source and spec.sourceHydrator cannot both be set',
      'spec.sources and spec.sourceHydrator cannot both be set',
      'spec.sourceHydrator.syncSource.targetBranch is required',
      'spec.sourceHydrator.syncSource.path is required',
      'spec.sourceHydrator.drySource.chart is not supported: a dry source is a directory of a git repository',
      'spec.sourceHydrator.drySource.ref is not supported: a dry source is a directory of a git repository',
      'spec.sourceHydrator.drySource.path is required (empty for the repository root)',
      'spec.sourceHydrator.drySource.repoURL is required',
      'spec.sourceHydrator.drySource.targetRevision is required',
      'spec.sourceHydrator.drySource.helm must be an object, not a list',
      'when spec.sourceHydrator.hydrateTo is set, spec.sourceHydrator.hydrateTo.targetBranch is required',
    ],
  )
})

test('the root is a path like any other; whether a branch has room for it is for a run to say', () => {
  for (const path of ['.', './', '/', '//', 'a/..']) {
    const hydrator = { drySource: { ...drySource, path }, syncSource: { ...syncSource, path } }
    assert.deepEqual(errorsOf({ sourceHydrator: hydrator }), [])
  }
})

test('paths outside of the repository and names that are no branch are refused', () => {
  for (const path of ['..', '../a', 'a/../../b', '/etc']) {
    const errors = errorsOf({
      sourceHydrator: { drySource: { ...drySource, path }, syncSource: { ...syncSource, path } },
    })
    assert.deepEqual(
      errors,
      ['syncSource', 'drySource'].map(
        (source) =>
          `spec.sourceHydrator.${source}.path: ${JSON.stringify(path)} must be a relative path inside the repository`,
      ),
    )
  }
  assert.deepEqual(
    errorsOf({ sourceHydrator: { drySource, syncSource: { ...syncSource, targetBranch: '--force' } } }),
    ['spec.sourceHydrator.syncSource.targetBranch: "--force" is not a branch name: it begins with "-"'],
  )
})

test('a destination has a server or a name, not both', () => {
  assert.deepEqual(errorsOf({ destination: { server: 'https://a', name: 'a' } }), [
    'spec.destination.server and spec.destination.name cannot both be set',
  ])
})

test('an empty source beside sourceHydrator says nothing', () => {
  for (const empty of [{ source: {} }, { sources: [] }, { source: null, sources: null }]) {
    assert.deepEqual(errorsOf({ ...empty, sourceHydrator: { drySource, syncSource } }), [])
  }
})
