import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { readEnvelopes, isSigned } from '@wadi/signatures/attestations/envelope.ts'
import { openSigningKeys } from '@wadi/signatures/signing/signing-keys.ts'
import { goProgramMissing } from '@wadi/testing/go-program.ts'
import { startRealRegistry } from '@wadi/testing/oci-registry/real-registry.ts'
import { registryProgram } from '@wadi/testing/oci-registry/registry-program.ts'
import { noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { packChart } from './pack-chart.ts'
import { checksums, writeChecksums } from './checksums.ts'
import { releaseProvenance, signStatement } from './provenance.ts'
import { releaseNotes } from './release-notes.ts'
import { billOfMaterials } from './sbom.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')

async function scratchDirectory() {
  return mkdtempDisposable(path.join(tmpdir(), 'wadi-release-'))
}

test(
  'the chart goes to a registry and comes back with the same bytes, and Helm renders it',
  { skip: goProgramMissing(registryProgram) ?? false },
  async () => {
    await using scratch = await scratchDirectory()
    await using registry = await startRealRegistry()
    const chart = await packChart(root, '0.2.0', scratch.path)
    const { command } = (await findTools({ cacheDirectory: toolCache })).helm
    const [program = '', ...first] = command
    const options = { cwd: scratch.path, env: { HOME: scratch.path, PATH: '' } }
    const helm = (...args: string[]) => run(program, [...first, ...args], options)

    await helm('push', chart, `oci://${registry.host}/charts`, '--plain-http')
    await helm('pull', `oci://${registry.host}/charts/wadi`, '--plain-http')

    assert.deepEqual(await readFile(path.join(scratch.path, 'wadi-0.2.0.tgz')), await readFile(chart))
    const { stdout } = await helm('template', 'wadi', 'wadi-0.2.0.tgz', '--namespace', 'wadi')
    assert.match(stdout, /kind: Deployment\n[^]*name: wadi-hydrator\n/)
  },
)

test('the bill of materials names locked packages with their digests, and Go modules', async () => {
  const materials = JSON.stringify(await billOfMaterials(root, '0.2.0', ['commander', 'bullmq']))
  const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')).packages
  const { version, integrity } = lock['node_modules/commander']
  const content = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')
  assert.ok(materials.includes(`"purl":"pkg:npm/commander@${version}"`))
  assert.ok(materials.includes(content))
  for (const purl of [
    `pkg:npm/semver@${lock['node_modules/bullmq/node_modules/semver'].version}`,
    `pkg:npm/react@${lock['node_modules/react'].version}`,
    'pkg:golang/helm.sh/helm/v4@v4.1.4',
  ]) {
    assert.ok(materials.includes(`"purl":"${purl}"`), purl)
  }
  assert.ok(!materials.includes('@wadi/'))
})

test(
  'sha256sum verifies the files, and a signed statement names them with the commit',
  { skip: noSigningPrograms },
  async () => {
    await using scratch = await scratchDirectory()
    await using keys = await scratchDirectory()
    await writeFile(path.join(scratch.path, 'a.tgz'), 'a')
    await writeFile(path.join(scratch.path, 'b.tgz'), 'b')
    await writeChecksums(scratch.path)
    const { stdout } = await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: scratch.path })
    assert.equal(stdout, 'a.tgz: OK\nb.tgz: OK\n')

    const key = path.join(keys.path, 'key')
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
    const workflow = { GITHUB_SERVER_URL: 'https://git.example.com', GITHUB_REPOSITORY: 'team/wadi' }
    const statement = releaseProvenance(root, '0.2.0', await checksums(scratch.path), workflow)
    const [envelope] = readEnvelopes(await signStatement(statement, key, undefined))
    assert.ok(envelope !== undefined)
    const entry = { setting: 'key', keyPath: key, passphraseFile: undefined, agentSocket: undefined }
    await using opened = await openSigningKeys(
      [{ ...entry, projects: [], repositories: [], isFor: () => true }],
      () => undefined,
    )
    assert.equal(await isSigned(envelope, opened.signerOf('', '')), true)
    const { subject, predicate } = JSON.parse(envelope.payload.toString())
    assert.deepEqual(subject[0], {
      name: 'a.tgz',
      digest: { sha256: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb' },
    })
    const head = (await run('git', ['rev-parse', 'HEAD'], { cwd: root })).stdout.trim()
    assert.deepEqual(predicate.buildDefinition.resolvedDependencies, [
      { uri: 'git+https://git.example.com/team/wadi', digest: { gitCommit: head } },
    ])
  },
)

test('the notes are the changes below the heading of the version, and a version without any is named', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n## 1.1.0 (2026-01-02)\n\n### Added\n\n- One.\n\n## 1.0.0 (2026-01-01)\n'
  assert.equal(releaseNotes(changelog, '1.1.0'), '# Wadi 1.1.0\n\n### Added\n\n- One.\n')
  assert.throws(() => releaseNotes(changelog, '1.2.0'), /no changes below a heading "## 1\.2\.0 /)
  assert.throws(() => releaseNotes(changelog, '1.0.0'), /no changes below a heading/)
})
