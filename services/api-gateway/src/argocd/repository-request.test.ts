import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { RepositorySchema } from '@wadi/protocol/gen/argocd/v1alpha1/repository_pb.ts'
import { repositoryRequest } from './repository-request.ts'

const url = 'https://git.example.com/deploy.git'

test('credentials are taken over, with the number of a GitHub App and an unchecked host key', () => {
  const fields = create(RepositorySchema, {
    username: 'bot',
    password: 'secret',
    project: 'shop',
    githubAppID: 7n,
    insecureIgnoreHostKey: true,
    type: 'git',
  })
  const request = repositoryRequest(url, fields, { write: true, upsert: true })
  const { repoUrl, username, password, project, githubAppId, githubAppInstallationId, insecure } = request
  assert.deepEqual(
    [repoUrl, username, password, project, githubAppId, githubAppInstallationId, insecure, request.write],
    [url, 'bot', 'secret', 'shop', '7', '', true, true],
  )
})

test('what Wadi cannot do is refused by its name, never dropped', () => {
  const refused = (fields: object) => () =>
    repositoryRequest(url, create(RepositorySchema, fields), { write: false })
  assert.throws(refused({ type: 'oci' }), { name: 'InvalidInputError', message: /"oci"/ })
  assert.throws(refused({ enableLfs: true, useAzureWorkloadIdentity: true }), {
    name: 'InvalidInputError',
    message: 'enableLfs, useAzureWorkloadIdentity of a repository is not supported',
  })
})

test('a repository of charts and the hosts without a proxy are taken over', () => {
  const fields = { type: 'helm', enableOCI: true, proxy: 'http://proxy:3128', noProxy: '.internal' }
  const request = repositoryRequest('registry.example.com/charts', create(RepositorySchema, fields), {
    write: false,
  })
  const { type, enableOci, proxy, noProxy } = request
  assert.deepEqual({ type, enableOCI: enableOci, proxy, noProxy }, fields)
})
