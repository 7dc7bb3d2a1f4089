import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sameSpec } from './same-spec.ts'

const syncSource = { targetBranch: 'environments/dev', path: 'web' }
const git = { repoURL: 'https://git.example.com/team/apps.git', targetRevision: 'main', path: 'web' }
const chart = { repoURL: 'https://charts.example.com', targetRevision: '1.x', chart: 'web' }
const destination = { repoURL: 'https://git.example.com/team/hydrated' }

const same: Record<string, [unknown, unknown]> = {
  'a chart without and with the path that is recorded': [
    { drySource: chart, syncSource: { ...syncSource, ...destination } },
    { drySource: { ...chart, path: '' }, syncSource: { ...destination, ...syncSource } },
  ],
  'a list of sources and its record, which has the first one twice': [
    { drySources: [chart, { ...git, path: undefined, ref: 'values' }], syncSource },
    {
      drySource: { ...chart, path: '' },
      drySources: [
        { ...chart, path: '' },
        { ...git, path: '', ref: 'values' },
      ],
      syncSource,
    },
  ],
  'a list of one source and that source': [
    { drySources: [git], syncSource },
    { drySource: git, syncSource },
  ],
  'spellings of a repository and of paths': [
    { drySource: git, syncSource },
    {
      drySource: { ...git, repoURL: 'https://git.example.com/team/apps/', path: './web/' },
      syncSource: { ...syncSource, path: 'web/' },
    },
  ],
  'the repository of the branch by default and by name': [
    { drySource: git, syncSource },
    { drySource: git, syncSource: { ...syncSource, repoURL: git.repoURL } },
  ],
  'what is absent, null, empty or the default': [
    { drySource: git, syncSource },
    {
      drySource: {
        ...git,
        chart: '',
        ref: null,
        helm: {},
        kustomize: null,
        directory: { recurse: false, include: '', jsonnet: {} },
        plugin: { name: null },
      },
      syncSource,
      hydrateTo: null,
    },
  ],
  'nulls inside of values, which a record cannot keep': [
    { drySource: { ...git, helm: { valuesObject: { a: null, b: 1 } } }, syncSource },
    { drySource: { ...git, helm: { valuesObject: { b: 1 } } }, syncSource },
  ],
  'fields that Wadi does not know': [
    { drySource: { ...git, futureField: 1 }, syncSource, another: {} },
    { drySource: git, syncSource },
  ],
  'a plugin with parameters in another order of keys': [
    { drySource: { ...git, plugin: { name: 'p', env: [{ name: 'A', value: 'b' }] } }, syncSource },
    { drySource: { ...git, plugin: { env: [{ value: 'b', name: 'A' }], name: 'p' } }, syncSource },
  ],
}
for (const [name, [one, other]] of Object.entries(same)) {
  test(`equal are ${name}`, () => assert.equal(sameSpec(one, other), true))
}

const plain = { drySource: git, syncSource }
const different: Record<string, unknown> = {
  'another revision': { ...plain, drySource: { ...git, targetRevision: 'v1' } },
  'another path': { ...plain, drySource: { ...git, path: 'api' } },
  'a chart': { ...plain, drySource: chart },
  'another branch': { ...plain, syncSource: { ...syncSource, targetBranch: 'environments/prod' } },
  'a staging branch': { ...plain, hydrateTo: { targetBranch: 'environments/dev-next' } },
  'another repository of the branch': { ...plain, syncSource: { ...syncSource, ...destination } },
  'one more source': { drySources: [git, chart], syncSource },
  'an empty value among values': {
    ...plain,
    drySource: { ...git, helm: { valuesObject: { a: '' } } },
  },
  nothing: undefined,
}
for (const [name, other] of Object.entries(different)) {
  test(`different is ${name}`, () => assert.equal(sameSpec(plain, other), false))
}
