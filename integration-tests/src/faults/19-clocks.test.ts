import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { configMap } from '../application-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'

const mesh = await meshOfFile()

test('a hydrated commit is not older than a parent that a fast clock made', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('clock', { 'clock/a.yaml': configMap('a', '1') })
  const branch = 'environments/clock'
  await fixture.applyAndWait(await repository.dry.head(), { name: 'clock', repoURL: repository.url, branch })
  const tomorrow = Math.floor(Date.now() / 1000) + 24 * 3600
  const identity = { NAME: 'Foreigner', EMAIL: 'foreigner@example.com', DATE: `${tomorrow} +0000` }
  const env = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) =>
      Object.entries(identity).map(([field, value]) => [`GIT_${role}_${field}`, value]),
    ),
  )
  const git = async (...args: string[]): Promise<string> => {
    const options = { cwd: repository.directory, env: { ...process.env, ...env } }
    return (await promisify(execFile)('git', args, options)).stdout.trim()
  }
  const foreign = await git('commit-tree', `${branch}^{tree}`, '-p', branch, '-m', 'From tomorrow')
  await git('update-ref', `refs/heads/${branch}`, foreign)
  const second = await repository.push({ 'clock/a.yaml': configMap('a', '2') })
  await fixture.hydrateTo(second, 'clock')
  assert.equal(await repository.commitField(branch, '%P'), foreign)
  assert.equal(await repository.commitField(branch, '%ct'), String(tomorrow))
})
