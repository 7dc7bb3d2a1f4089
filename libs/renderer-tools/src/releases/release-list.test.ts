import assert from 'node:assert/strict'
import { mkdtempDisposable, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { helmOfCharts, kustomizeVersion } from '@wadi/gotemplate/engine-versions.ts'
import { findRelease, readReleaseList } from './release-list.ts'
import { releaseUrl } from './release-address.ts'

const digest = 'a'.repeat(64)

test("Wadi's own list has whole releases of both tools, for machines with Linux on x64 those that it brings", async () => {
  const own = await readReleaseList(undefined, 'linux/amd64')
  for (const tool of ['helm', 'kustomize'] as const)
    assert.ok(own.releases.filter((release) => release.tool === tool).length >= 10)
  assert.ok(findRelease(own, 'helm', helmOfCharts.slice(1)))
  assert.ok(findRelease(own, 'kustomize', kustomizeVersion.slice(1)))
  const arm = await readReleaseList(undefined, 'linux/arm64')
  assert.ok(arm.releases.length >= 20)
  assert.equal((await readReleaseList(undefined, 'plan9/mips')).releases.length, 0)
  const digests = [...own.releases, ...arm.releases].map(({ sha256 }) => sha256)
  assert.equal(new Set(digests).size, digests.length)
})

test('the addresses of releases are those of their projects', () => {
  const addresses = { helm: 'https://get.helm.sh/', kustomize: 'https://github.com/k/releases/download' }
  const release = { version: '4.2.4', platform: 'linux/amd64', sha256: digest }
  assert.equal(
    releaseUrl(addresses, { ...release, tool: 'helm' }),
    'https://get.helm.sh/helm-v4.2.4-linux-amd64.tar.gz',
  )
  assert.equal(
    releaseUrl(addresses, { ...release, tool: 'kustomize', version: '5.8.1' }),
    'https://github.com/k/releases/download/kustomize%2Fv5.8.1/kustomize_v5.8.1_linux_amd64.tar.gz',
  )
})

test('a list of the operator has comments, versions with v and digests with their name', async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-list-'))
  const file = path.join(scratch.path, 'list.txt')
  await writeFile(
    file,
    `# ours\n\nhelm v4.3.1 linux/amd64 sha256:${digest.toUpperCase()} # checked\nhelm 4.3.1 linux/arm64 ${digest}\n`,
  )
  const list = await readReleaseList(file, 'linux/amd64')
  assert.deepEqual(list.releases, [
    { tool: 'helm', version: '4.3.1', platform: 'linux/amd64', sha256: digest },
  ])
  assert.notEqual(list.identity, (await readReleaseList(file, 'linux/arm64')).identity)
})

test('what is wrong with a list is named with its line', async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-list-'))
  const file = path.join(scratch.path, 'list.txt')
  const good = `helm 4.3.1 linux/amd64 ${digest}`
  const cases = {
    [`hlem 4.3.1 linux/amd64 ${digest}`]: '"hlem" must be helm or kustomize',
    [`helm ^4 linux/amd64 ${digest}`]: '"^4" must be one exact version, such as 4.3.1',
    [`helm 4.3.2 linux ${digest}`]: '"linux" must be a platform, such as linux/amd64',
    'helm 4.3.2 linux/amd64 abc': '"abc" must be the SHA-256 of the archive, 64 hexadecimal digits',
    'helm 4.3.2 linux/amd64': '"" must be the SHA-256 of the archive, 64 hexadecimal digits',
    [`helm 4.3.2 linux/amd64 ${digest} more`]:
      'a line has a tool, a version, a platform and a digest, and not "more" too',
    [good]: 'helm 4.3.1 linux/amd64 is listed twice',
  }
  for (const [line, message] of Object.entries(cases)) {
    await writeFile(file, `${good}\n${line}\n`)
    await assert.rejects(readReleaseList(file), {
      message: `${file}:2: ${message}`,
      name: 'InvalidInputError',
    })
  }
  await assert.rejects(readReleaseList(path.join(scratch.path, 'none')), {
    name: 'FailedPreconditionError',
    message: /cannot be read: ENOENT/,
  })
  await truncate(file, 2 * 1024 * 1024)
  await assert.rejects(readReleaseList(file), /is larger than 1 MiB/)
})
