import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { objectAt } from '@wadi/fields/json-fields.ts'
import { noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { configMap } from '../application-fixture.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'
import { attestationPath, readNotes } from './attestation-fixture.ts'
import { startAttestingMesh } from './attesting-mesh-fixture.ts'

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

describe('attested gates', { skip: noSigningPrograms }, async () => {
  if (noSigningPrograms) return
  const mesh = await startAttestingMesh()
  const { fixture, verify } = mesh
  after(() => mesh[Symbol.asyncDispose]())

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
    const rules = (severity: string) => ({ severity, rules: '3', kubernetes: '1.30' })
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
            { ...gate('secrets'), annotations: { severity: 'warn', rules: '3' } },
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
    const sinceHead = await verify(repository, branch, '--since', head, '--gates', 'api-versions')
    assert.match(sinceHead.stdout, /: verified\n {2}0 attested commits, 2 hydrated directories\n$/)
    await repository.push({ 'checked-b/a.yaml': configMap('b', '2') })
    await fixture.hydrate('checked-b')
    const since = await verify(repository, branch, '--since', head, '--gates', 'secrets')
    assert.match(
      since.stdout,
      /: verified\n {2}1 attested commit, .*\n.*\n {2}gates: passed in 1 of 2 directories\n$/,
    )
    const notSince = await verify(repository, branch, '--since', head, '--gates', 'api-versions')
    assert.match(notSince.stdout, /gate api-versions passed in directory checked-b\n$/)
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
})
