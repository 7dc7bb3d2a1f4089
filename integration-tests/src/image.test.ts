import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { before, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { composeProblem } from '@wadi/testing/compose-project.ts'
import { configMap } from './application-fixture.ts'
import { startComposeMesh } from './compose-mesh-fixture.ts'

const run = promisify(execFile)
const repository = path.join(import.meta.dirname, '../..')
const maxImageBytes = 300_000_000

/** `WADI_TEST_IMAGE` names an image that is built already; otherwise one is built here. */
const given = process.env['WADI_TEST_IMAGE']
const image = given ?? 'wadi:test'
const dockerfile = await readFile(path.join(repository, 'deploy/Dockerfile'), 'utf8')
const base = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1] ?? ''
const problem = await composeProblem([given ?? base, 'redis:7-bookworm'])
if (problem !== undefined) console.error(`the image and the compose file are not tested: ${problem}`)

suite('the image', { skip: problem ?? false }, () => {
  before(async () => {
    if (given !== undefined) return
    await run('docker', ['build', '--file', 'deploy/Dockerfile', '--tag', image, '.'], { cwd: repository })
  })

  test('has at most 300 MB, a user without rights, and no tests, git objects or package manager', async () => {
    const { stdout } = await run('docker', ['image', 'inspect', image])
    const [{ Size, Config }] = JSON.parse(stdout) as [{ Size: number; Config: { User: string } }]
    assert.ok(Size <= maxImageBytes, `${Size} bytes`)
    assert.equal(Config.User, '10001:10001')
    const find = `find / -xdev '(' -name .git -o -name '*.test.ts' -o -name testdata -o -name npm -o -name apt ')' 2>&-
      find / -xdev -type f '(' -name helm -o -name kubectl ')'`
    assert.deepEqual(await inImage(find), ['/opt/wadi/bin/helm'])
    assert.deepEqual(await inImage('touch /file /wadi/file /data/file 2>&1; id -u'), [
      'touch: /file: Read-only file system',
      'touch: /wadi/file: Read-only file system',
      'touch: /data/file: Read-only file system',
      '10001',
    ])
  })

  test('hydrates manifests, a chart and a Kustomization as the mesh of the compose file', async () => {
    await using mesh = await startComposeMesh(image)
    const { fixture } = mesh
    const files = {
      'plain/a.yaml': configMap('plain', '1'),
      'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
      'chart/templates/a.yaml': configMap('from-{{ .Chart.Name }}', '2'),
      'kustomized/kustomization.yaml': 'namePrefix: from-\nresources: [a.yaml]\n',
      'kustomized/a.yaml': configMap('base', '3'),
    }
    const dry = await fixture.createRepository('composed', files)
    const branch = 'environments/composed'
    const names = ['plain', 'chart', 'kustomized']
    await fixture.applyAndWait(
      await dry.dry.head(),
      ...names.map((name) => ({ name, repoURL: dry.url, branch })),
    )
    const hydrated = await Promise.all(
      names.map(async (name) => (await dry.read(branch, `${name}/manifest.yaml`)).match(/ name: .*/)?.[0]),
    )
    assert.deepEqual(hydrated, [' name: plain', ' name: from-chart', ' name: from-base'])
  })
})

/** The lines that a script in a new container with a read-only root writes. */
async function inImage(script: string): Promise<string[]> {
  const args = ['run', '--rm', '--read-only', '--network', 'none', '--entrypoint', 'sh', image, '-c', script]
  return (await run('docker', args)).stdout.trim().split('\n')
}
