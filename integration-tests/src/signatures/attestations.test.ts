import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import { makeGpgHome, makeSshKey, noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { configMap } from '../application-fixture.ts'
import { isSettled } from '../gateway-fixture.ts'
import { HydrationFixture, makeDataDirectory, makeTestDirectory } from '../hydration-fixture.ts'
import { gitUser, startListenedGitServer, startMeshFixture } from '../mesh-fixture.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'
import { attestationPath, readNotes, verifyInClone } from './attestation-fixture.ts'

/** Merges a branch into another as a forge does, and returns the merge. */
async function promote(repository: RepositoryFixture, { from, to }: { from: string; to: string }) {
  const parents = (await Promise.all([to, from].map((name) => repository.head(name)))).filter(Boolean)
  const identity = ['-c', 'user.name=Forge', '-c', 'user.email=forge@example.com']
  const args = [
    'commit-tree',
    '-m',
    'Merge',
    ...parents.flatMap((parent) => ['-p', parent]),
    `${from}^{tree}`,
  ]
  const merge = (await runTestGit(repository.directory, [...identity, ...args])).trim()
  await repository.pointBranch(to, merge)
  return merge
}

describe('attestations', { skip: noSigningPrograms }, async () => {
  if (noSigningPrograms) return
  const scratch = new AsyncDisposableStack()
  after(() => scratch.disposeAsync())
  const directory = await makeTestDirectory(scratch)
  const key = await makeSshKey(directory, 'key')
  const environment = { WADI_SIGNING_KEY_PATH: join(directory, 'key') }
  const keys = join(directory, 'keys')
  await writeFile(keys, `wadi ${key.publicKey}\n`)

  test('a statement of in-toto with SLSA provenance says what a hydrated commit was made from', async () => {
    await using mesh = await startMeshFixture({ environment })
    const { repository, branch } = await mesh.fixture.hydratedOnce('web')
    const head = await repository.head(branch)
    const envelope: unknown = JSON.parse(await readNotes(repository, attestationPath(head)))
    assert.ok(envelope instanceof Object && 'payload' in envelope && typeof envelope.payload === 'string')
    const drySha = await repository.dry.head()
    const note: unknown = JSON.parse(await readNotes(repository, head))
    assert.ok(note instanceof Object && 'installation' in note && typeof note.installation === 'string')
    // The sum that "find . -type f | LC_ALL=C sort | xargs sha256sum | sha256sum" prints.
    const files = (await repository.files(`${branch}:web`)).toSorted()
    const sums = await Promise.all(
      files.map(async (file) => {
        const content = await repository.read(branch, `web/${file}`)
        return `${createHash('sha256').update(content).digest('hex')}  ${file}\n`
      }),
    )
    const dirHash = createHash('sha256').update(sums.join('')).digest('hex')
    const gitTree = (await runTestGit(repository.directory, ['rev-parse', `${branch}:web`])).trim()
    const tree = (await runTestGit(repository.directory, ['rev-parse', `${branch}^{tree}`])).trim()
    assert.deepEqual(JSON.parse(Buffer.from(envelope.payload, 'base64').toString()), {
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        { name: branch, digest: { gitCommit: head } },
        { name: 'web', digest: { gitTree, dirHash, sha256: dirHash } },
      ],
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          buildType: 'https://wadi.dev/hydration/v1',
          externalParameters: {
            repository: repository.url,
            branch,
            directories: {
              web: {
                applications: [{ metadata: { name: 'web', namespace: 'argocd' }, name: 'web' }],
                drySource: { targetRevision: 'main', path: 'web' },
              },
            },
          },
          internalParameters: { tree },
          resolvedDependencies: [{ uri: `git+${repository.url}`, digest: { gitCommit: drySha } }],
        },
        runDetails: {
          builder: { id: `https://wadi.dev/installations/${note.installation}` },
          metadata: { invocationId: drySha },
        },
      },
    })
    // Git's own commands for notes leave it alone.
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
    const add = ['notes', '--ref', 'hydrator.metadata', 'add', '-m', 'ours', drySha]
    await runTestGit(repository.directory, [...identity, ...add])
    const verified = await verifyInClone(repository, directory, [branch, '--key', keys])
    assert.match(verified.stdout, /^environments\/web at [0-9a-f]{7}: verified\n {2}1 attested commit,/)
    assert.equal(verified.code, 0)
  })

  test('OpenPGP keys attest, many commits verify with one run of gpg, and JSON says which', async () => {
    await using home = await makeGpgHome()
    const gpgKey = await home.addKey('Wadi <wadi@example.com>')
    const path = join(directory, 'key.asc')
    await writeFile(path, await home.privateKey(gpgKey), { mode: 0o600 })
    await writeFile(join(directory, 'public.asc'), await home.publicKey(gpgKey))
    await using mesh = await startMeshFixture({ environment: { WADI_SIGNING_KEY_PATH: path } })
    const { repository, branch } = await mesh.fixture.hydratedOnce('gpg')
    const change = await repository.push({ 'gpg/a.yaml': configMap('gpg', '2') })
    await mesh.fixture.hydrateTo(change, 'gpg')
    const args = [branch, '--key', join(directory, 'public.asc'), '-o', 'json']
    const { stdout, code } = await verifyInClone(repository, directory, args)
    const result: unknown = JSON.parse(stdout)
    assert.ok(result instanceof Object && 'commits' in result && Array.isArray(result.commits))
    const signature = `${gpgKey.keyId} (Wadi <wadi@example.com>)`
    assert.deepEqual(
      result.commits.map((commit: unknown) => Object.entries(Object(commit)).slice(0, 4)),
      (await repository.commits(branch)).map((commit) => [
        ['commit', commit],
        ['kind', 'attested'],
        ['author', 'Argo CD <argo-cd@example.com>'],
        ['signature', signature],
      ]),
    )
    assert.equal(code, 0)
    const keyring = await verifyInClone(repository, directory, [branch, '--keyring', home.keybox])
    assert.match(keyring.stdout, /: verified\n {2}2 attested commits, 1 hydrated directory/)
    assert.equal(keyring.code, 0)
    const others = await verifyInClone(repository, directory, [branch, '--keyring', keys])
    assert.match(others.stdout, /no commit of it has an attestation by a known key/)
    assert.equal(others.code, 1)
  })

  test('a branch from before is attested when it is hydrated again, and what is merged of it verifies', async () => {
    const { server } = await startListenedGitServer()
    await using git = server
    const dataDirectory = await makeDataDirectory(directory)
    const start = async (attestations: string) => {
      const mesh = await startMeshFixture({
        dataDirectory,
        environment: { ...environment, WADI_ATTESTATIONS: attestations },
      })
      const fixture = new HydrationFixture({ ...mesh, directory, git })
      return { mesh, fixture }
    }
    const branch = 'environments/old'
    const hydrateTo = `${branch}-next`
    const before = await start('false')
    await before.fixture.addCredentials({ repoUrl: git.url, isPrefix: true, ...gitUser })
    const repository = await before.fixture.createRepository('old', { 'old/a.yaml': configMap('old', '1') })
    const application = { name: 'old', repoURL: repository.url, branch, hydrateTo }
    await before.fixture.applyAndWait(await repository.dry.head(), application)
    await before.mesh[Symbol.asyncDispose]()
    const without = await verifyInClone(repository, directory, [hydrateTo, '--key', keys])
    assert.match(without.stdout, /no commit of it has an attestation by a known key/)
    assert.equal(without.code, 1)

    const now = await start('true')
    await using _ = now.mesh
    await now.fixture.gateway.applications.hydrateApplication({ name: 'old', hard: true })
    await now.fixture.waitFor('old', isSettled)
    const { stdout, code } = await verifyInClone(repository, directory, [hydrateTo, '--key', keys])
    assert.match(stdout, /verified\n {2}1 attested commit, 1 hydrated directory/)
    assert.equal(code, 0)

    const merge = await promote(repository, { from: hydrateTo, to: branch })
    const merged = await verifyInClone(repository, directory, [branch, '--key', keys])
    assert.match(
      merged.stdout,
      new RegExp(`at ${merge.slice(0, 7)}: verified\n {2}1 attested commit, 1 merge`),
    )
    assert.equal(merged.code, 0)
    await now.fixture.hydrateTo(await repository.push({ 'old/a.yaml': configMap('old', '2') }), 'old')
    await promote(repository, { from: hydrateTo, to: branch })
    const again = await verifyInClone(repository, directory, [branch, '--key', keys])
    assert.match(again.stdout, /verified\n {2}2 attested commits, 1 merge, 1 hydrated directory/)
    assert.equal(again.code, 0)
  })

  test('a commit that puts back what somebody else changed is attested, from where that was reviewed', async () => {
    await using mesh = await startMeshFixture({ environment })
    const { fixture } = mesh
    await fixture.applyOperatorSettings({ 'sourceHydrator.foreignChanges': 'restore' })
    const { repository, branch } = await fixture.hydratedOnce('restored')
    const foreign = await repository.pushForeign(branch, { 'restored/manifest.yaml': 'theirs: true\n' })
    await fixture.poll()
    await repository.waitForHead(branch, (head) => head !== foreign)
    const whole = await verifyInClone(repository, directory, [branch, '--key', keys])
    assert.match(whole.stdout, /NOT verified\n {2}2 attested commits/)
    assert.match(
      whole.stdout,
      new RegExp(`${foreign.slice(0, 7)}: it has no attestation: a foreign commit by`),
    )
    assert.equal(whole.code, 1)
    const since = [branch, '--key', keys, '--since', foreign]
    const { stdout, code } = await verifyInClone(repository, directory, since)
    assert.match(stdout, /: verified\n {2}1 attested commit, 1 hydrated directory/)
    assert.equal(code, 0)
  })

  test('what cannot be checked ends with 20 and the way to it', async () => {
    await using mesh = await startMeshFixture({ environment })
    const { repository, branch } = await mesh.fixture.hydratedOnce('unchecked')
    const cases: [string[], RegExp][] = [
      [[branch], /name the public keys that may sign: "wadi gpg export > keys", then --key keys/],
      [[branch, '--keyring', join(directory, 'none')], /a file of --key or --keyring cannot be read: ENOENT/],
      [[branch, '--key', join(directory, 'key')], /this is a private key, which only its owner should have/],
      [
        ['environments/none', '--key', keys],
        /has no branch environments\/none; fetch it first: git fetch origin/,
      ],
      [[branch, '--key', keys, '--since', 'f00'], /this clone has no commit f00, which --since names/],
    ]
    for (const [args, message] of cases) {
      const { stderr, code } = await verifyInClone(repository, directory, args)
      assert.match(stderr, message)
      assert.equal(code, 20)
    }
    await repository.push({ 'unchecked/a.yaml': configMap('unchecked', '2') })
    const shallow = join(directory, 'shallow')
    const from = `file://${repository.directory}`
    await runTestGit(directory, ['clone', '--quiet', '--depth', '1', from, shallow])
    const { stderr, code } = await runWadi(['verify', branch, '--key', keys, '--repo', shallow])
    assert.match(stderr, /this clone lacks the older history; fetch it with "git fetch --unshallow"/)
    assert.equal(code, 20)
  })
})
