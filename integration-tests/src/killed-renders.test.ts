import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { mkdir, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '@wadi/testing/until.ts'
import { startProcessMesh } from './process-mesh-fixture.ts'

const name = 'outliving-its-service'
const endless =
  '{{ range until 9999 }}{{ range until 9999 }}{{ range until 9999 }}{{ end }}{{ end }}{{ end }}'

/** Processes of Linux that render the Application, what is around them too. */
function renders(): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')
      return words.includes('template') && words.includes(name)
    } catch {
      return false
    }
  })
}

const skip = process.platform !== 'linux'

test(
  'no renderer outlives a killed service, and its directories are removed at the next start',
  { skip },
  async () => {
    await using scratch = await mkdtempDisposable(join(tmpdir(), 'wadi-killed-'))
    const temporary = join(scratch.path, 't')
    await mkdir(temporary)
    const directories = () => readdirSync(temporary).filter((entry) => entry.startsWith('wadi-render-'))
    await using mesh = await startProcessMesh({
      replicas: { 'cmp-server': 0, 'appset-service': 0 },
      together: ['commit-server', 'api-gateway'],
      environment: { TMPDIR: temporary },
    })
    const repository = await mesh.fixture.createRepository('killed', {
      [`${name}/Chart.yaml`]: 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      [`${name}/templates/a.yaml`]: endless,
    })
    await mesh.fixture.apply({ name, repoURL: repository.url, branch: 'killed' })
    await until(() => renders().length > 0)
    const [left = ''] = directories()
    for (const hydrator of mesh.processes.hydrator) await hydrator.kill()
    for (const repoServer of mesh.processes['repo-server']) {
      await repoServer.kill()
      await until(() => renders().length === 0)
      assert.deepEqual(directories(), [left])
      await repoServer.start()
    }
    assert.equal(directories().length, 1)
    assert.notEqual(directories()[0], left)
  },
)
