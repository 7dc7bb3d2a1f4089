import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { sharedCrashMesh } from '../crash-fixture.ts'

const hydrations = 20
const mebibyte = 1024 ** 2

async function openFiles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

const skip = process.platform === 'linux' ? false : 'reads /proc'

test('many hydrations leave no open files, no children and little memory behind', { skip }, async () => {
  const { fixture, processes } = await sharedCrashMesh()
  const repository = await fixture.createRepository('soak', { 'soak/a.yaml': configMap('a', '0') })
  const branch = 'environments/soak'
  await fixture.applyAndWait(await repository.dry.head(), { name: 'soak', repoURL: repository.url, branch })
  const hydrate = async (from: number, to: number): Promise<void> => {
    for (let number = from; number < to; number++) {
      await fixture.hydrateTo(
        await repository.push({ 'soak/a.yaml': configMap('a', String(number)) }),
        'soak',
      )
    }
  }
  // What is opened once, is open after these.
  await hydrate(1, 6)
  const pids = Object.values(processes).flatMap((services) => services.map(({ pid }) => pid))
  const before = await Promise.all(pids.map(async (pid) => [await openFiles(pid), await residentBytes(pid)]))
  await hydrate(6, 6 + hydrations)
  for (const [index, pid] of pids.entries()) {
    const [files = 0, bytes = 0] = before[index] ?? []
    const name = Object.keys(processes)[index]
    assert.ok((await openFiles(pid)) <= files + 10, `${name}: open files`)
    assert.ok((await residentBytes(pid)) <= bytes + 150 * mebibyte, `${name}: memory`)
  }
  assert.equal((await repository.commits(branch)).length, 6 + hydrations)
  await fixture.gateway.applications.deleteApplication({ name: 'soak' })
})
