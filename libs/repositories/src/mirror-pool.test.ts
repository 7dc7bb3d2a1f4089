import assert from 'node:assert/strict'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { CorruptMirrorError } from '@wadi/git/process/git-failure.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import type { MirrorPool } from './mirror-pool.ts'
import { openRepositories, secretObject } from './repository-fixture.ts'

const url = 'https://git.example.com/org/deploy.git'

async function mirrorOf(mirrors: MirrorPool, repoUrl: string, project: string): Promise<Mirror> {
  using lease = await mirrors.lease(repoUrl, project)
  return lease.mirror
}

test('a repository has one mirror, whatever its spelling and however many ask at once', async () => {
  await using opened = await openRepositories()
  const { mirrors, scratch } = opened
  const spellings = [url, 'https://GIT.example.com/org/deploy', ` ${url} `]
  const found = await Promise.all(spellings.map((spelling) => mirrorOf(mirrors, spelling, 'default')))
  assert.equal(new Set(found).size, 1)
  assert.equal(await mirrorOf(mirrors, url, 'other'), found[0])
  assert.equal((await readdir(join(scratch, 'mirrors'))).length, 1)
})

test('a repository that a project reaches with its own credentials has a mirror that no other project reads', async () => {
  await using opened = await openRepositories()
  const { mirrors, repositories } = opened
  await repositories.put(secretObject('shop', { url, password: 'p', project: 'shop' }))
  await repositories.put(secretObject('all', { url, password: 'q' }))
  const [shop, core, none] = await Promise.all(
    ['shop', 'core', ''].map((project) => mirrorOf(mirrors, url, project)),
  )
  assert.notEqual(shop, core)
  assert.equal(core, none)
  assert.notEqual(shop?.directory, core?.directory)
})

test('changed credentials are used at the next contact', async () => {
  await using server = await startGitHttpServer({ users: { wadi: 'new' } })
  const served = await server.createRepository('platform.git')
  await using opened = await openRepositories()
  const { mirrors, repositories } = opened
  await repositories.put(secretObject('a', { url: served.url, username: 'wadi', password: 'old' }))
  const mirror = await mirrorOf(mirrors, served.url, '')
  await assert.rejects(mirror.listRemote())
  await repositories.put(secretObject('a', { url: served.url, username: 'wadi', password: 'new' }))
  assert.equal((await mirror.listRemote()).refs.size, 0)
})

test('a mirror is made again for damage that was seen in it, and not for what was seen in a former one', async () => {
  await using opened = await openRepositories()
  const { mirrors } = opened
  const mirror = await mirrorOf(mirrors, url, '')
  const tries: number[] = []
  const worked = await mirrors.use(url, '', async ({ generation }) => {
    tries.push(generation)
    if (tries.length === 1) throw new CorruptMirrorError('damaged')
    return 'worked'
  })
  assert.equal(worked, 'worked')
  assert.deepEqual(tries, [0, 1])
  assert.equal(await mirrors.heal(mirror, new CorruptMirrorError('damaged'), 0), true)
  assert.equal(mirror.generation, 1)
})

test('a URL that the policy refuses opens nothing', async () => {
  await using opened = await openRepositories()
  for (const refused of ['file:///srv/a.git', 'http://git.example.com/a', '--upload-pack=x', 'ext::x'])
    await assert.rejects(opened.mirrors.lease(refused, ''), { name: 'InvalidInputError' })
})

test('a mirror that could not be opened is tried again', async () => {
  await using opened = await openRepositories()
  const { mirrors, scratch } = opened
  await writeFile(join(scratch, 'mirrors'), 'in the way')
  await assert.rejects(mirrorOf(mirrors, url, ''))
  await rm(join(scratch, 'mirrors'))
  await mkdir(join(scratch, 'mirrors'))
  assert.equal((await mirrorOf(mirrors, url, '')).url, url)
})
