import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { compileCache } from '@wadi/testing/quick-start.ts'

const ownProcesses = ['--pid', '--fork', '--kill-child']
const isAllowed = spawnSync('unshare', [...ownProcesses, 'true']).status === 0

test(
  'a service that is process 1 warns that nobody reaps what commands leave',
  { skip: isAllowed ? false : 'no namespace of processes may be made' },
  async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-first-'))
    const main = join(import.meta.dirname, 'main.ts')
    const { PATH = '' } = process.env
    const child = spawn('unshare', [...ownProcesses, process.execPath, main], {
      env: {
        PATH,
        NODE_COMPILE_CACHE: compileCache,
        WADI_DATA_DIR: directory.path,
        WADI_LISTEN: `unix:${join(directory.path, 'cmp.sock')}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    const timer = setTimeout(() => child.kill('SIGKILL'), 60_000)
    const lines: string[] = []
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', (line) => {
        lines.push(line)
        if (line.includes('"serving"')) child.kill('SIGKILL')
      })
    }
    await ended
    clearTimeout(timer)
    assert.match(lines.join('\n'), /"warn".*cmp-server is process 1 .* start it under an init/)
  },
)
