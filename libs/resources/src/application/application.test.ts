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
      sourceHydrator: { drySource: { chart: 'redis', path: 'sub', ref: 'values', helm: [] }, hydrateTo: {} },
    }),
    [
      'spec.project must be a string, not a number',
      'spec.source and spec.sourceHydrator cannot both be set',
      'spec.sources and spec.sourceHydrator cannot both be set',
      'spec.sourceHydrator.syncSource.targetBranch is required',
      'spec.sourceHydrator.syncSource.path is required',
      'spec.sourceHydrator.drySource.chart and spec.sourceHydrator.drySource.path cannot both be set: a chart is rendered whole',
      'spec.sourceHydrator.drySource.repoURL is required',
      'spec.sourceHydrator.drySource.targetRevision is required',
      'spec.sourceHydrator.drySource.helm must be an object, not a list',
      'spec.sourceHydrator.drySource.ref has no meaning for the only source, so list the sources in drySources',
      'spec.sourceHydrator.syncSource.repoURL is required: the git repository of the hydrated branch, as a chart is in none',
      'when spec.sourceHydrator.hydrateTo is set, spec.sourceHydrator.hydrateTo.targetBranch is required',
    ],
  )
})

test('a chart has no path, and its hydrated branch a repository', () => {
  const chart = { repoURL: 'https://charts.example.com', chart: 'redis', targetRevision: '^1.0' }
  const ofGit = { ...syncSource, repoURL: 'https://git/x' }
  const errors = (drySide: object) => errorsOf({ sourceHydrator: { drySource: drySide, syncSource: ofGit } })
  assert.deepEqual(errors(chart), [])
  assert.deepEqual(errors({ ...chart, path: '.' }), [])
  const { chart: _chart, ...directory } = chart
  assert.deepEqual(errors(directory), [
    'spec.sourceHydrator.drySource.path is required (empty for the repository root)',
  ])
})

test('several sources are listed, and give their files to others by a name', () => {
  const chart = { repoURL: 'https://charts.example.com', chart: 'redis', targetRevision: '^1.0' }
  const values = { repoURL: 'https://git/x', targetRevision: 'main', ref: 'values' }
  const read = (drySources: object[], more: object = {}) =>
    errorsOf({
      sourceHydrator: { drySources, syncSource: { ...syncSource, repoURL: 'https://git/y' }, ...more },
    })
  assert.deepEqual(read([values, chart]), [])
  assert.deepEqual(read([{ ...values, ref: 'a b' }, { ...values, ref: 'a b' }, chart], { drySource }), [
    'spec.sourceHydrator.drySource and spec.sourceHydrator.drySources cannot both be set',
    'spec.sourceHydrator.drySources[0].ref: "a b" must be letters, digits, "-" and "_"',
    'spec.sourceHydrator.drySources[1].ref: "a b" is the ref of drySources[0] too, so give each its own',
    'spec.sourceHydrator.drySources[1].ref: "a b" must be letters, digits, "-" and "_"',
  ])
  assert.match(read([values])[0] ?? '', /every source has a ref and no path, so nothing is rendered/)
  assert.match(read([{ ...chart, ref: 'x' }, chart])[0] ?? '', /a chart cannot be named by a ref/)
  assert.match(
    read([{ ...values, path: '../x' }])[0] ?? '',
    /drySources\[0\]\.path: .* inside the repository/,
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
