import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtempDisposable, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeGpgHome, makeSshKey, noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { until } from '@wadi/testing/until.ts'

const skip = noSigningPrograms || (existsSync('/proc/self') ? false : 'needs /proc')
const module = join(import.meta.dirname, 'signing-keys.ts')

/** Opens a key in a process of its own, which says so and goes on until its standard input ends. */
const program = `
  const { openSigningKeys } = await import(process.argv[1])
  const ofAll = { projects: [], repositories: [], isFor: () => true }
  const keys = await openSigningKeys([{ setting: 'KEY', keyPath: process.argv[2], ...ofAll }], () => {})
  process.stdout.write('open')
  for await (const _ of process.stdin) continue
  await keys[Symbol.asyncDispose]()`

for (const scheme of ['gpg', 'ssh'] as const) {
  test(
    `an agent with a ${scheme} key ends with its process, however that ends, and the next start removes what it left`,
    { skip },
    async () => {
      await using scratch = await mkdtempDisposable(join(tmpdir(), 'wadi-own-'))
      await using home = await makeGpgHome()
      const keyPath = join(scratch.path, 'key')
      if (scheme === 'ssh') await makeSshKey(scratch.path, 'key')
      else await writeFile(keyPath, await home.privateKey(await home.addKey('Wadi <wadi@example.com>')))
      const isRunning = async () => {
        const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
        const commands = await Promise.all(
          ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')),
        )
        return commands.some((line) => line.includes(`${scheme}-agent`) && line.includes(scratch.path))
      }
      const left = async () => (await readdir(scratch.path)).filter((name) => name.startsWith('wadi-sign-'))
      const open = async () => {
        const child = spawn(process.execPath, ['--input-type=module', '--eval', program, module, keyPath], {
          stdio: ['pipe', 'pipe', 'inherit'],
          env: { ...process.env, TMPDIR: scratch.path },
        })
        await once(child.stdout, 'data')
        assert.ok(await isRunning())
        return child
      }

      const killed = await open()
      killed.kill('SIGKILL')
      await until(async () => !(await isRunning()))
      const [directory = '', ...others] = await left()
      assert.deepEqual(others, [])
      // It cannot be that of an agent that starts.
      await utimes(join(scratch.path, directory), 0, 0)
      const next = await open()
      assert.equal((await left()).length, 1)
      assert.notEqual((await left())[0], directory)
      const ended = once(next, 'exit')
      next.stdin.end()
      assert.deepEqual(await ended, [0, null])
      assert.ok(!(await isRunning()))
      assert.deepEqual(await left(), [])
    },
  )
}
