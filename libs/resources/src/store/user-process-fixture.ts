import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openSqliteStore } from './sqlite-store.ts'

const userProgram = join(import.meta.dirname, 'store-user-fixture.ts')

/** Starts a process that has a store open three times, and stores what it is given. */
export async function startUser(file: string) {
  const child = spawn(process.execPath, [userProgram, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  assert.equal((await lines.next()).value, 'open')
  return {
    /** Returns whether the store has acknowledged the object. */
    create: async (name: string) => {
      child.stdin.write(`${name}\n`)
      return (await lines.next()).value === name
    },
    end: async (signal: NodeJS.Signals) => {
      child.kill(signal)
      await exited
    },
    /** The files of a directory that the process has open although their names are gone. */
    deletedFiles: (directory: string) => {
      const descriptors = `/proc/${child.pid}/fd`
      return readdirSync(descriptors).flatMap((name) => {
        const target = readlinkSync(join(descriptors, name))
        return target.startsWith(directory) && target.endsWith(' (deleted)') ? [target] : []
      })
    },
  }
}

/** Returns the names of the objects in a store, in their order. */
export async function namesIn(file: string): Promise<string[]> {
  await using store = openSqliteStore({ file })
  return (await store.list('ConfigMap')).items.map(({ metadata }) => metadata.name)
}
