import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { Enforcer } from '@wadi/rbac/decide/enforcer.ts'
import { readPolicyConfig } from '@wadi/rbac/policy/read-policy-config.ts'
import { inputGuardOf } from './input-guard-of.ts'
import type { RepositoryRecord } from './repository-records.ts'

const root = 'https://git.example.com'

function guardOf(csv: string, records: Partial<RepositoryRecord>[] = [], allowFile = false) {
  const enforcer = new Enforcer(readPolicyConfig({ 'policy.csv': csv }), [])
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

test('a repository is checked by the name in the record that the project sees', async () => {
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

test('directories are repositories if the operator permits it', async () => {
  const csv = 'p, u, repositories, get, *, allow'
  await assert.rejects(guardOf(csv).repository('file:///srv/r.git', ''), InvalidInputError)
  await guardOf(csv, [], true).repository('file:///srv/r.git', '')
})

test('clusters are checked with their project, all of them', () => {
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

test('no spelling of an address gets around a rule that denies one of them', async () => {
  const guard = guardOf(
    `p, u, repositories, get, *, allow
p, u, repositories, get, ${root}/secret/r.git, deny
p, u, repositories, get, git@git.example.com:secret/*, deny
p, u, repositories, get, dev/${root}/team/secret, deny`,
    [{ repoUrl: `${root}/team`, project: 'dev', isPrefix: true }],
  )
  for (const url of [
    `${root}/secret/r`,
    `${root}/secret/r.git/`,
    `${root}/SECRET/R.git`,
    `https://git.example.com:443/secret/r.git`,
    'git@git.example.com:secret/r.git',
    'ssh://git@git.example.com/secret/r',
    'ssh://git@git.example.com:22/secret/r',
  ]) {
    await assertRefused(guard.repository(url, ''), url.replace('ssh://git@', 'ssh://'))
  }
  await assertRefused(guard.repository(`${root}/team/secret.git`, 'dev'), `${root}/team/secret.git`)
  for (const url of [`${root}/secret/r2.git`, `${root}:8443/secret/r.git`, 'git@git.example.com:open/r']) {
    await guard.repository(url, '')
  }
})

test('an address that servers read as another one is refused', async () => {
  const guard = guardOf('p, u, repositories, get, *, allow', [], true)
  for (const url of [
    `${root}/team/../secret/r.git`,
    `${root}/team/%2e%2e/secret/r.git`,
    `${root}/./secret/r.git`,
    `${root}//secret/r.git`,
    `${root}/%73ecret/r.git`,
    `${root}/team%2Fr.git`,
    `${root}/team%5cr.git`,
    `${root}/team/..`,
    'git@git.example.com:../secret/r.git',
    'git@git.example.com:team/../secret/r.git',
    'file:///srv/team/../secret.git',
    '/srv//secret.git',
  ]) {
    await assert.rejects(guard.repository(url, ''), (error) => {
      return error instanceof InvalidInputError && error.message.includes('must be written plainly')
    })
  }
  for (const url of [
    `${root}/team/r..git`,
    `${root}/~user/.r/`,
    `${root}/team%20one/r%C3%A9.git`,
    'git@git.example.com:/srv/r.git',
    'file:///srv/.hidden/r.git',
  ]) {
    await guard.repository(url, '')
  }
})

test('an address where clouds give machines their credentials is not a repository, however it is written', async () => {
  const guard = guardOf('p, u, repositories, get, *, allow')
  for (const host of [
    '169.254.169.254',
    '2852039166:443',
    '0xA9FEA9FE',
    '0251.0376.0251.0376',
    '169.254.43518',
    '100.100.100.200',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[FD00:EC2:0::254]',
    '[fd20:ce::254]',
    'Metadata.Google.Internal',
  ]) {
    for (const url of [`https://${host}/latest/r.git`, `ssh://git@${host}/r.git`]) {
      await assert.rejects(guard.repository(url, ''), (error) => {
        return error instanceof InvalidInputError && error.message.includes('is an address of the local link')
      })
    }
  }
})
