import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { after, describe, test } from 'node:test'
import { objectAt } from '@wadi/fields/json-fields.ts'
import { sshPem } from '@wadi/signatures/ssh-public-key.ts'
import { makeSshKey, noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { configMap } from '../application-fixture.ts'
import { makeTestDirectory } from '../hydration-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'
import { attestationPath, readNotes, verifyInClone } from './attestation-fixture.ts'

const testResultType = 'https://in-toto.io/attestation/test-result/v0.1'

// Put together, so that no scanner takes this file for a leak.
const leakedToken = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')

interface Statement {
  subject: unknown[]
  predicateType: string
  predicate: unknown
}

interface Proof {
  key: string
  gatesMessage: string
  verifiedAt: string
}

/** Why cosign cannot verify here; false when it can. */
const noCosign = await promisify(execFile)('cosign', ['version']).then(
  ({ stdout }) => (/GitVersion: +v3\./.test(stdout) ? false : 'needs cosign 3'),
  () => 'needs cosign 3',
)

describe('attested gates', { skip: noSigningPrograms }, async () => {
  if (noSigningPrograms) return
  await using starting = new AsyncDisposableStack()
  const directory = await makeTestDirectory(starting)
  const key = await makeSshKey(directory, 'key')
  const keys = join(directory, 'keys')
  await writeFile(keys, `wadi ${key.publicKey}\n`)
  const environment = { WADI_SIGNING_KEY_PATH: join(directory, 'key') }
  const mesh = starting.use(await startMeshFixture({ environment }))
  const { fixture } = mesh
  const started = starting.move()
  after(() => started.disposeAsync())

  async function hydrated(name: string, files: Record<string, string>) {
    const repository = await fixture.createRepository(name, files)
    const branch = `environments/${name}`
    const names = [name, `${name}-b`].filter((each) => `${each}/a.yaml` in files)
    const applications = names.map((each) => ({ name: each, repoURL: repository.url, branch }))
    await fixture.applyAndWait(await repository.dry.head(), ...applications)
    return { repository, branch, head: await repository.head(branch) }
  }

  /** The payloads of the attestations of a commit. */
  async function statements(repository: RepositoryFixture, commit: string): Promise<Statement[]> {
    const lines = (await readNotes(repository, attestationPath(commit))).trim().split('\n')
    return lines.map((line) => {
      const { payload } = JSON.parse(line) as { payload: string }
      return JSON.parse(Buffer.from(payload, 'base64').toString()) as Statement
    })
  }

  /** The proof of the hydrated commit in the status of an Application. */
  async function proofOf(name: string) {
    const { application } = await fixture.gateway.applications.getApplication({ name })
    return objectAt(application, 'status', 'sourceHydrator', 'proof') as unknown as Proof
  }

  async function verify(repository: RepositoryFixture, ...args: string[]) {
    return verifyInClone(repository, directory, [...args, '--key', keys])
  }

  test('a statement of in-toto about tests says by which rules which gates passed or warned where', async () => {
    const { repository, branch, head } = await hydrated('checked', {
      'wadi.yaml': 'gates: {secrets: warn, schemas: deny, policies: audit}\npolicies: [policies]\n',
      'policies/none.yaml': '',
      'checked/a.yaml': configMap('checked', leakedToken),
      'checked-b/a.yaml': configMap('b', '1'),
    })
    const [provenance, result] = await statements(repository, head)
    assert.deepEqual(result?.subject, provenance?.subject)
    const id = async (path: string) =>
      (await runTestGit(repository.dry.directory, ['rev-parse', `HEAD:${path}`])).trim()
    const rules = (severity: string) => ({ severity, rules: '2', kubernetes: '1.30' })
    const gate = (name: string) => ({ name, uri: `https://wadi.dev/gates/${name}` })
    assert.deepEqual(
      { ...result, subject: [] },
      {
        _type: 'https://in-toto.io/Statement/v1',
        subject: [],
        predicateType: testResultType,
        predicate: {
          result: 'WARNED',
          configuration: [
            { ...gate('secrets'), annotations: { severity: 'warn', rules: '2' } },
            { ...gate('schemas'), annotations: rules('deny') },
            { ...gate('policies'), annotations: rules('audit') },
            { name: 'wadi.yaml', digest: { gitBlob: await id('wadi.yaml') } },
            { name: 'policies', digest: { gitTree: await id('policies') } },
          ],
          passedTests: [
            'checked: schemas',
            'checked: policies',
            'checked-b: secrets',
            'checked-b: schemas',
            'checked-b: policies',
          ],
          warnedTests: ['checked: secrets/github'],
          failedTests: [],
        },
      },
    )
    const { stdout, code } = await verify(repository, branch, '--gates', 'secrets,policies')
    assert.match(stdout, /: verified\n(?:.*\n){2} {2}gates: passed, 1 warning\n$/)
    assert.equal(code, 0)
    const json = await verify(repository, branch, '-o', 'json')
    const { gates } = JSON.parse(json.stdout) as { gates: unknown }
    assert.deepEqual(gates, { result: 'WARNED', warnings: 1, directories: ['checked-b', 'checked'] })
    const { key: signedBy, verifiedAt, ...proof } = await proofOf('checked')
    assert.match(stdout, new RegExp(`signed by ${RegExp.escape(signedBy)} `))
    assert.ok(Math.abs(Date.parse(verifiedAt) - Date.now()) < 60 * 60_000)
    const known = { owner: '', attested: true }
    const found = { gates: 'WARNED', gateWarnings: 1, gatesMessage: 'passed, 1 warning' }
    assert.deepEqual(proof, { commit: head, ...known, ...found })
    const missing = await verify(repository, branch, '--gates', 'api-versions')
    assert.match(missing.stdout, /no attestation says that gate api-versions passed in directory checked\n/)
    assert.equal(missing.code, 1)
    const unknown = await verify(repository, branch, '--gates', 'secret')
    assert.match(unknown.stderr, /Unknown gate "secret"; expected any, secrets, api-versions/)
  })

  test('gates that are switched on are attested of what they leave as it is', async () => {
    const { repository, branch, head } = await hydrated('later', { 'later/a.yaml': configMap('later', '1') })
    const before = await verify(repository, branch, '--gates', 'any')
    assert.match(before.stdout, /no attestation says that gates passed in directory later\n/)
    const first = await proofOf('later')
    assert.equal(first.gatesMessage, 'not attested')
    await fixture.hydrateTo(await repository.push({ 'wadi.yaml': 'gates: {secrets: deny}\n' }), 'later')
    await fixture.hydrateTo(await repository.push({ 'wadi.yaml': 'gates: {schemas: deny}\n' }), 'later')
    assert.equal(await repository.head(branch), head)
    const types = (await statements(repository, head)).map(({ predicateType }) => predicateType)
    assert.deepEqual(types, ['https://slsa.dev/provenance/v1', testResultType])
    const { stdout, code } = await verify(repository, branch, '--gates', 'schemas')
    assert.match(stdout, /gates: passed\n$/)
    const { verifiedAt, ...proof } = await proofOf('later')
    assert.ok(verifiedAt > first.verifiedAt)
    const { verifiedAt: _then, ...known } = first
    assert.deepEqual(proof, { ...known, gates: 'PASSED', gatesMessage: 'passed' })
    assert.equal(code, 0)
  })

  test('cosign verifies both statements by commit and directory', { skip: noCosign }, async () => {
    const repository = await fixture.createRepository('cosigned', {
      'wadi.yaml': 'gates: {secrets: deny}\n',
      'cosigned/a.yaml': configMap('cosigned', '1'),
    })
    const branch = 'environments/cosigned'
    const application = { name: 'cosigned', repoURL: repository.url, branch }
    await fixture.applyAndWait(await repository.dry.head(), application)
    const head = await repository.head(branch)
    const envelopes = (await readNotes(repository, attestationPath(head))).trim().split('\n')
    const mediaType = 'application/vnd.dev.sigstore.bundle.v0.3+json'
    const verificationMaterial = { publicKey: { hint: '' }, tlogEntries: [] }
    const file = async (name: string, text: string) => {
      await writeFile(join(directory, name), text)
      return join(directory, name)
    }
    const pem = await file('pem', sshPem(key.publicKey) ?? '')
    const files = (await repository.files(`${branch}:cosigned`)).toSorted()
    const sums = await Promise.all(
      files.map(async (name) => {
        const content = await repository.read(branch, `cosigned/${name}`)
        return `${createHash('sha256').update(content).digest('hex')}  ${name}\n`
      }),
    )
    const listed = await file('sums', sums.join(''))
    const other = await file('other', sums.join('').replace('a', 'b'))
    const types = ['slsaprovenance1', testResultType]
    assert.equal(envelopes.length, types.length)
    for (const [index, type] of types.entries()) {
      const dsseEnvelope: unknown = JSON.parse(envelopes[index] ?? '')
      const bundle = await file('bundle', JSON.stringify({ mediaType, verificationMaterial, dsseEnvelope }))
      const options = ['--key', pem, '--bundle', bundle, '--type', type, '--insecure-ignore-tlog']
      const cosign = (...args: string[]) =>
        promisify(execFile)('cosign', ['verify-blob-attestation', ...options, ...args])
      await cosign('--digest', head, '--digestAlg', 'gitCommit')
      await cosign(listed)
      await assert.rejects(cosign(other), /artifact digests do not match digests in statement/)
    }
  })
})
