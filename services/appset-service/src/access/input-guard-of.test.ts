import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { createEnforcer } from '@wadi/rbac/enforcer.ts'
import { readPolicyConfig } from '@wadi/rbac/read-policy-config.ts'
import { inputGuardOf } from './input-guard-of.ts'
import type { RepositoryRecord } from './repository-records.ts'

const root = 'https://git.example.com'

function guardOf(csv: string, records: Partial<RepositoryRecord>[] = [], allowFile = false) {
  const enforcer = createEnforcer(readPolicyConfig({ 'policy.csv': csv }), [])
  return inputGuardOf(
    enforcer,
    { sub: 'u', groups: [] },
    {
      urlPolicy: { allowFile, allowPlainHttp: 'loopback' },
      list: async () => records.map((record) => ({ repoUrl: '', project: '', isPrefix: false, ...record })),
    },
  )
}

async function assertRefused(promise: Promise<void>, url: string): Promise<void> {
  await assert.rejects(
    promise,
    new PermissionDeniedError(`permission denied: repositories, get, ${url}, sub: u`),
  )
}

test('a repository is asked for as the record that the project sees calls it', async () => {
  const records = [
    { repoUrl: `${root}/a.git`, project: 'dev' },
    { repoUrl: `${root}/a.git`, project: '' },
    { repoUrl: `${root}/b.git`, project: 'other' },
  ]
  const ofDev = guardOf(`p, u, repositories, get, dev/${root}/a.git, allow`, records)
  await ofDev.repository(`${root}/A`, 'dev')
  await assertRefused(ofDev.repository(`${root}/a`, ''), `${root}/a`)
  await assertRefused(ofDev.repository(`${root}/a`, 'other'), `${root}/a`)
  const general = guardOf(`p, u, repositories, get, ${root}/a.git, allow`, records)
  await general.repository(`${root}/a.git/`, '')
  await assertRefused(general.repository(`${root}/a.git`, 'dev'), `${root}/a.git`)
})

test('one that is not registered is refused like one that is forbidden', async () => {
  const guard = guardOf(`p, u, repositories, get, ${root}/team/*, allow`, [{ repoUrl: `${root}/x.git` }])
  await guard.repository(`${root}/team/r.git`, 'dev')
  await assertRefused(guard.repository(`${root}/x.git`, 'dev'), `${root}/x.git`)
  await assertRefused(guard.repository(`${root}/y.git`, 'dev'), `${root}/y.git`)
})

test('credentials of a project for all repositories below a URL are used by those with a right to the project’s', async () => {
  const records = [{ repoUrl: `${root}/team`, project: 'dev', isPrefix: true }]
  const bare = guardOf(`p, u, repositories, get, ${root}/*, allow`, records)
  await bare.repository(`${root}/team/r.git`, '')
  await assertRefused(bare.repository(`${root}/team/r.git`, 'dev'), `${root}/team/r.git`)
  const ofDev = guardOf(`p, u, repositories, get, dev/*, allow`, records)
  await ofDev.repository(`${root}/team/r.git`, 'dev')
  await assertRefused(ofDev.repository(`${root}/team-two/r.git`, 'dev'), `${root}/team-two/r.git`)
  const nearer = { repoUrl: `${root}/team/inner/`, isPrefix: true }
  const both = guardOf(`p, u, repositories, get, dev/*, allow`, [...records, nearer])
  await assertRefused(both.repository(`${root}/team/inner/r.git`, 'dev'), `${root}/team/inner/r.git`)
})

test('another spelling does not get around a rule that denies', async () => {
  const guard = guardOf(
    `p, u, repositories, get, *, allow
p, u, repositories, get, ${root}/secret/*, deny`,
  )
  await guard.repository(`${root}/open/r.git`, '')
  await assertRefused(
    guard.repository(`https://GIT.example.com/Secret/r.git`, ''),
    'https://GIT.example.com/Secret/r.git',
  )
})

test('folders are repositories where the operator says so', async () => {
  const csv = 'p, u, repositories, get, *, allow'
  await assert.rejects(guardOf(csv).repository('file:///srv/r.git', ''), InvalidInputError)
  await guardOf(csv, [], true).repository('file:///srv/r.git', '')
})

test('clusters are asked for with their project, all of them', () => {
  const guard = guardOf(`p, u, clusters, get, dev/https://dev, allow
p, u, clusters, get, https://open, allow`)
  const dev = { server: 'https://dev', project: 'dev' }
  const open = { server: 'https://open', project: '' }
  guard.clusters([dev, open])
  guard.clusters([])
  for (const other of [
    { server: 'https://dev', project: '' },
    { server: 'https://open', project: 'dev' },
  ]) {
    assert.throws(
      () => guard.clusters([dev, other]),
      new PermissionDeniedError(
        'permission denied: clusters, get, a cluster that the generators yield, sub: u',
      ),
    )
  }
})
