import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { readEnvelopes } from '@wadi/signatures/attestations/envelope.ts'
import { isSignedBy } from '@wadi/signatures/ssh-public-key.ts'
import { goProgramMissing } from '@wadi/testing/go-program.ts'
import { startRealRegistry } from '@wadi/testing/oci-registry/real-registry.ts'
import { registryProgram } from '@wadi/testing/oci-registry/registry-program.ts'
import { noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { packChart } from './pack-chart.ts'
import { attestRelease } from './attestations.ts'
import { writeRelease } from './publish/release-fixture.ts'
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
  'sha256sum verifies the files, and signed statements name them with the commit and the packages',
  { skip: noSigningPrograms },
  async () => {
    await using scratch = await scratchDirectory()
    await using keys = await scratchDirectory()
    await writeRelease(scratch.path, '0.2.0')
    const { stdout } = await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: scratch.path })
    assert.match(stdout, /^wadi-chart-0\.2\.0\.tgz: OK$/m)

    const key = path.join(keys.path, 'key')
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
    const workflow = { GITHUB_SERVER_URL: 'https://git.example.com', GITHUB_REPOSITORY: 'team/wadi' }
    await attestRelease(root, '0.2.0', scratch.path, { ...workflow, WADI_RELEASE_KEY_PATH: key })
    const read = (name: string) => readFile(path.join(scratch.path, name), 'utf8')
    const statements = []
    const publicKey = createPublicKey(await read('release-key.pem'))
    for (const envelope of readEnvelopes(await read('attestations.intoto.jsonl'))) {
      assert.ok(envelope !== undefined)
      assert.ok(isSignedBy(publicKey, envelope.signed, envelope.signatures[0]?.bytes ?? Buffer.alloc(0)))
      statements.push(JSON.parse(envelope.payload.toString()))
    }
    const [made, materials] = statements
    const head = (await run('git', ['rev-parse', 'HEAD'], { cwd: root })).stdout.trim()
    assert.deepEqual(made.predicate.buildDefinition.resolvedDependencies, [
      { uri: 'git+https://git.example.com/team/wadi', digest: { gitCommit: head } },
    ])
    const lines = made.subject.map(
      (each: { name: string; digest: { sha256: string } }) => `${each.digest.sha256}  ${each.name}`,
    )
    assert.deepEqual(lines.slice(0, -2), (await read('SHA256SUMS')).trimEnd().split('\n'))
    assert.match(
      lines.slice(-2).join('\n'),
      /^[0-9a-f]{64} {2}wadi:0\.2\.0\n[0-9a-f]{64} {2}charts\/wadi:0\.2\.0$/,
    )
    assert.deepEqual(materials.predicate, JSON.parse(await read('wadi-0.2.0.cdx.json')))
    assert.deepEqual(
      materials.subject.map((each: { name: string }) => each.name),
      ['wadi-0.2.0.tgz'],
    )
  },
)

test('the notes are the changes below the heading of the version, and a version without any is named', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n## 1.1.0 (2026-01-02)\n\n### Added\n\n- One.\n\n## 1.0.0 (2026-01-01)\n'
  assert.equal(releaseNotes(changelog, '1.1.0'), '# Wadi 1.1.0\n\n### Added\n\n- One.\n')
  assert.throws(() => releaseNotes(changelog, '1.2.0'), /no changes below a heading "## 1\.2\.0 /)
  assert.throws(() => releaseNotes(changelog, '1.0.0'), /no changes below a heading/)
})
