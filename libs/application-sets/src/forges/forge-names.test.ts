import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { parseApplicationSet } from '../application-set.ts'

function errorsOf(generators: readonly Record<string, unknown>[]): string[] {
  const metadata = { name: 'set', namespace: 'argocd' }
  const object = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', metadata }
  try {
    parseApplicationSet({ ...object, spec: { generators, template: {} } })
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    return error.message.replace('ApplicationSet set: ', '').split('; ')
  }
  return []
}

test('fields of forges are refused by name, and so are providers that are not supported', () => {
  const tokenRef = { secretName: 'forge', key: 'token', name: 'x' }
  const pullRequest = { gitlab: { project: 'a', state: 'opened' }, filters: [{ labelMatch: 'x' }] }
  const filters = [{ branchMatch: 'x', titleMatch: 'x' }]
  const scmProvider = { github: { tokenRef }, filters, awsCodeCommit: {} }
  const merge = { mergeKeys: ['a'], generators: [{ list: {} }, { scmProvider: { bitbucketServer: {} } }] }
  assert.deepEqual(
    errorsOf([{ pullRequest }, { scmProvider }, { merge }]).filter((error) =>
      /^(?:unknown field )?spec/.test(error),
    ),
    [
      'unknown field spec.generators[0].pullRequest.gitlab.state',
      'unknown field spec.generators[0].pullRequest.filters[0].labelMatch',
      'unknown field spec.generators[1].scmProvider.github.tokenRef.name',
      'unknown field spec.generators[1].scmProvider.filters[0].titleMatch',
      'spec.generators[1].scmProvider: the provider "awsCodeCommit" is not supported',
      'spec.generators[2].merge.generators[1].scmProvider: the provider "bitbucketServer" is not supported',
    ],
  )
})

test('every field that Argo CD documents for a supported provider is known', () => {
  const reference = { tokenRef: { secretName: 's', key: 'k' } }
  const tls = { insecure: true, caRef: { configMapName: 'c', key: 'k' } }
  const github = { organization: 'o', api: '', ...reference, allBranches: true, excludeArchivedRepos: true }
  const shared = { includeSubgroups: true, includeSharedProjects: false, includeArchivedRepos: true }
  const gitlab = { group: 'g', api: '', ...reference, ...tls, ...shared, allBranches: true, topic: 't' }
  const filters = [
    { repositoryMatch: 'a', branchMatch: 'b', labelMatch: 'c', pathsExist: ['d'], pathsDoNotExist: ['e'] },
  ]
  const rest = { cloneProtocol: 'ssh', values: {}, requeueAfterSeconds: 60, template: {} }
  assert.deepEqual(errorsOf([{ scmProvider: { github, filters, ...rest } }, { scmProvider: { gitlab } }]), [])
  const project = { project: 'p', labels: ['l'], pullRequestState: 'opened', ...reference, ...tls }
  const pullRequest = { gitlab: project, continueOnRepoNotFoundError: true, filters: [{ titleMatch: 'x' }] }
  assert.deepEqual(errorsOf([{ pullRequest }]), [])
})
