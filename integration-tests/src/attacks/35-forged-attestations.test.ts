import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { makeSshKey, noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { configMap } from '../application-fixture.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'
import { attestationPath, pushNotes, readNotes, verifyInClone } from '../signatures/attestation-fixture.ts'
import { startAttestingMesh } from '../signatures/attesting-mesh-fixture.ts'

const notes = 'refs/notes/hydrator.metadata'

describe('wadi verify finds', { skip: noSigningPrograms }, async () => {
  if (noSigningPrograms) return
  const mesh = await startAttestingMesh()
  const { fixture, directory, verify } = mesh
  after(() => mesh[Symbol.asyncDispose]())

  /** A repository with a branch of two Applications that was hydrated twice, and the two heads. */
  async function hydratedTwice(name: string) {
    const files = { [`${name}/a.yaml`]: configMap(name, '1'), [`${name}-b/b.yaml`]: configMap('b', '1') }
    const repository = await fixture.createRepository(name, files)
    const branch = `environments/${name}`
    const repoURL = repository.url
    const applications = [name, `${name}-b`].map((each) => ({ name: each, repoURL, branch }))
    await fixture.applyAndWait(await repository.dry.head(), ...applications)
    const first = await repository.head(branch)
    await fixture.hydrateTo(await repository.push({ [`${name}/a.yaml`]: configMap(name, '2') }), name)
    const second = await repository.head(branch)
    const verified = await verify(repository, branch)
    assert.deepEqual([verified.code, verified.stderr], [0, ''], verified.stdout)
    return { repository, branch, first, second }
  }

  async function assertFound(repository: RepositoryFixture, args: string[], ...expected: string[]) {
    const { code, stdout, stderr } = await verify(repository, ...args)
    for (const text of expected) assert.ok(stdout.includes(text), `${text} is not in ${stdout}${stderr}`)
    assert.equal(code, 1)
  }

  test('a commit that was pushed by hand, with the note and attestation of another', async () => {
    const { repository, branch, second } = await hydratedTwice('copied')
    const forged = await repository.pushForeign(branch, { 'copied/manifest.yaml': configMap('copied', '3') })
    await assertFound(
      repository,
      [branch],
      `${forged.slice(0, 7)}: it has no attestation: a foreign commit by Foreigner <foreigner@example.com>, not signed; it changes or removes copied`,
    )
    await pushNotes(repository, directory, {
      [forged]: second,
      [attestationPath(forged)]: attestationPath(second),
    })
    const about = `${forged.slice(0, 7)}: its attestation is about commit ${second.slice(0, 7)}`
    await assertFound(repository, [branch], about, `${forged.slice(0, 7)}: the commit is not signed`)
  })

  test('an attestation that was moved or removed', async () => {
    const { repository, branch, first, second } = await hydratedTwice('moved')
    const [path, other] = [attestationPath(first), attestationPath(second)]
    await pushNotes(repository, directory, { [path]: other, [other]: undefined })
    const about = `${first.slice(0, 7)}: its attestation is about commit ${second.slice(0, 7)}`
    await assertFound(repository, [branch], about, `${second.slice(0, 7)}: it has no attestation`)
    await pushNotes(repository, directory, { [other]: path, [path]: undefined })
    await assertFound(repository, [branch], 'no attestation names directory moved-b')
  })

  test('the attestation of another branch, repository or installation', async () => {
    const { repository, branch, second } = await hydratedTwice('other')
    await repository.pointBranch('environments/prod', second)
    await assertFound(repository, ['environments/prod'], `its attestation is about branch ${branch}`)
    const url = 'https://git.example.com/other.git'
    await assertFound(
      repository,
      [branch, '--repo-url', url],
      `is about repository ${repository.url}, not ${url}`,
    )
    await assertFound(repository, [branch, '--installation', 'mine'], 'made it, not mine')
  })

  test('results of gates of another commit', async () => {
    const { repository, branch } = await hydratedTwice('gated')
    const write = async (severity: string, value: string) => {
      const settings = `gates: {secrets: "${severity}"}\n`
      const files = { 'wadi.yaml': settings, 'gated/a.yaml': configMap('gated', value) }
      await fixture.hydrateTo(await repository.push(files), 'gated')
      return repository.head(branch)
    }
    const [checked, unchecked] = [await write('deny', '3'), await write('off', '4')]
    const [, result] = (await readNotes(repository, attestationPath(checked))).split('\n')
    const own = await readNotes(repository, attestationPath(unchecked))
    await pushNotes(repository, directory, {}, { [attestationPath(unchecked)]: `${own}${result}\n` })
    await assertFound(
      repository,
      [branch, '--gates', 'any'],
      'no attestation says that gates passed in directory gated\n',
      `${unchecked.slice(0, 7)}: its attestation is about commit ${checked.slice(0, 7)}`,
    )
  })

  test('a commit of another branch of which only the results of gates were kept', async () => {
    const { repository, branch, second } = await hydratedTwice('stolen')
    const other = 'environments/stolen-dev'
    await repository.pointBranch(other, second)
    const files = { 'wadi.yaml': 'gates: {secrets: deny}\n', 'dev/a.yaml': configMap('stolen', 'dev') }
    await fixture.applyAndWait(await repository.push(files), {
      name: 'stolen-dev',
      repoURL: repository.url,
      path: 'dev',
      syncPath: 'stolen',
      branch: other,
    })
    const stolen = await repository.head(other)
    await repository.pointBranch(branch, stolen)
    const path = attestationPath(stolen)
    const [, results] = (await readNotes(repository, path)).split('\n')
    await pushNotes(repository, directory, {}, { [path]: `${results}\n` })
    await assertFound(
      repository,
      [branch, '--gates', 'any'],
      `${stolen.slice(0, 7)}: its attestation is about branch ${other}`,
      `${stolen.slice(0, 7)}: no statement says what made it`,
      'no attestation says that gates passed in directory stolen\n',
    )
  })

  test('an old commit to which the branch was put back, and one that is not built on what was verified', async () => {
    const { repository, branch, first, second } = await hydratedTwice('back')
    const before = await runTestGit(repository.directory, ['rev-parse', `${notes}~1`])
    await repository.pointBranch(branch, first)
    await assertFound(repository, [branch], `its newest attested commit is ${second.slice(0, 7)}`)
    await repository.pointRef('refs/heads/kept', second)
    const identity = ['-c', 'user.name=Mallory', '-c', 'user.email=mallory@example.com']
    const merge = ['commit-tree', '-m', 'Merge', '-p', second, '-p', first, `${first}^{tree}`]
    const back = (await runTestGit(repository.directory, [...identity, ...merge])).trim()
    await repository.pointBranch(branch, back)
    await assertFound(
      repository,
      [branch],
      `${back.slice(0, 7)}: it has no attestation`,
      'changes or removes back',
    )
    await repository.pointBranch(branch, first)
    await repository.pointRef(notes, before.trim())
    const since = [branch, '--since', second]
    await assertFound(
      repository,
      since,
      `it is not built on ${second.slice(0, 7)}, which was verified before`,
    )
  })

  test('a directory that was dropped, and a key that nobody knows', async () => {
    const { repository, branch } = await hydratedTwice('dropped')
    await repository.pushForeign(branch, {
      'dropped-b/manifest.yaml': undefined,
      'dropped-b/README.md': undefined,
      'dropped-b/hydrator.metadata': undefined,
    })
    await assertFound(repository, [branch], 'it changes or removes dropped-b')
    const unknown = await makeSshKey(directory, 'unknown')
    await writeFile(join(directory, 'unknown-keys'), `${unknown.publicKey}\n`)
    const { code, stdout } = await verifyInClone(repository, directory, [
      branch,
      '--key',
      join(directory, 'unknown-keys'),
    ])
    assert.equal(code, 1)
    assert.match(stdout, /no commit of it has an attestation by a known key/)
  })
})
