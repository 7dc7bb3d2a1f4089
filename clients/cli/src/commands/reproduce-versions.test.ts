import assert from 'node:assert/strict'
import { appendFile, copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { plainVersion } from '@wadi/hydration/tool-versions.ts'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { fileDigest } from '@wadi/renderer-tools/tool-program.ts'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { cacheHome, toolCache } from '@wadi/testing/tool-cache.ts'
import { simpleGit } from 'simple-git'
import { runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'

const template = `apiVersion: v1
kind: ConfigMap
metadata: {name: helm}
data: {version: "{{ .Capabilities.HelmVersion.Version }}"}
`

/** A repository with a chart, and a branch that says which Helm made it. */
async function hydratedBy(directory: string, version: string, sha256?: string) {
  const git = simpleGit(directory)
  await git.init(['--initial-branch=main'])
  await git.addConfig('user.name', 'Test').addConfig('user.email', 'test@example.com')
  await mkdir(join(directory, 'web', 'templates'), { recursive: true })
  await writeFile(join(directory, 'web', 'Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 1.0.0\n')
  await writeFile(join(directory, 'web', 'templates', 'helm.yaml'), template)
  await git.add('.').commit('Add a chart')
  const drySha = (await git.revparse('HEAD')).trim()
  await git.raw(['switch', '--quiet', '--orphan', 'env'])
  await mkdir(join(directory, 'web'), { recursive: true })
  const manifest = `apiVersion: v1\ndata:\n  version: ${version}\nkind: ConfigMap\nmetadata:\n  name: helm\n`
  const metadata = { drySha, repoURL: directory, tools: [{ name: 'helm', version, sha256 }] }
  await writeFile(join(directory, 'web', 'manifest.yaml'), manifest)
  await writeFile(join(directory, 'web', 'hydrator.metadata'), JSON.stringify(metadata))
  await git.add('.').commit('Hydrate')
  await git.checkout('main')
  return async (environment: Record<string, string> = {}, ...flags: string[]) =>
    runWadi(['reproduce', '--repo', directory, '--branch', 'env', 'web', ...flags], {
      environment: { XDG_CACHE_HOME: cacheHome, ...environment },
    })
}

test('a program of the recorded version that is another build is named, and ends with 1 where asked', async () => {
  const { helm } = await findTools({ cacheDirectory: toolCache })
  await using directory = await temporaryDirectory()
  const reproduce = await hydratedBy(directory.path, helm.version, '0'.repeat(64))
  const { stderr, code } = await reproduce()
  assert.equal(code, 0)
  const asked = await reproduce({}, '--same-tools')
  assert.match(asked.stdout, /is reproduced byte for byte/)
  assert.equal(asked.code, 1)
  const local = `${helm.version} with the SHA-256 ${helm.program?.sha256.slice(0, 12)}`
  const difference = `helm is ${local} here and was ${helm.version} with the SHA-256 0{12} at hydration`
  assert.match(stderr, RegExp(difference))
  assert.match(asked.stderr, RegExp(difference))
})

test('the recorded program renders, where this machine has it beside another build of its version', async () => {
  const { helm } = await findTools({ cacheDirectory: toolCache })
  await using directory = await temporaryDirectory()
  await using tools = await temporaryDirectory()
  const program = join(tools.path, 'helm', plainVersion(helm.version), 'helm')
  await mkdir(dirname(program), { recursive: true })
  await copyFile(helm.program?.path ?? '', program)
  await appendFile(program, 'another build')
  const reproduce = await hydratedBy(directory.path, helm.version, await fileDigest(program))
  const flag = '--same-tools'
  assert.equal((await reproduce({ WADI_TOOLS_DIRECTORY: '/nonexistent' }, flag)).code, 1)
  const { stdout, stderr, code } = await reproduce({ WADI_TOOLS_DIRECTORY: tools.path }, flag)
  assert.deepEqual([stderr, code], ['', 0])
  assert.match(stdout, /is reproduced byte for byte/)
})

test(
  'the recorded version renders, where this machine has it',
  { skip: renderersMissing ?? false },
  async () => {
    await using directory = await temporaryDirectory()
    await using tools = await temporaryDirectory()
    await mkdir(join(tools.path, 'helm', '4.3.1'), { recursive: true })
    await symlink(rendererFiles.helm4, join(tools.path, 'helm', '4.3.1', 'helm'))
    const reproduce = await hydratedBy(directory.path, 'v4.3.1')
    const without = await reproduce()
    assert.match(
      without.stderr,
      /helm is v4\.\d\.\d here and was v4\.3\.1 at hydration.*; add it with "wadi tools add helm 4\.3\.1"/,
    )
    assert.equal(without.code, 1)
    const { stdout, stderr, code } = await reproduce({ WADI_TOOLS_DIRECTORY: tools.path })
    assert.match(
      stderr,
      /^INFO.* helm 4\.3\.1 renders, recorded in hydrator\.metadata; the default here is .*\n$/,
    )
    assert.match(stdout, /is reproduced byte for byte/)
    assert.equal(code, 0)
  },
)
