import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { cpuSeconds, endedChildrenCpuSeconds, watchMemory } from './process-tree.ts'

const mebibyte = 1024 ** 2

/** Starts a Node that fills 64 MiB, prints a line and stays. */
async function startHolder() {
  const program = `globalThis.held = Buffer.alloc(64 * 1024 ** 2, 1); console.log('full'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return {
    pid: child.pid,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

test('the memory of descendants is counted while they live', async () => {
  using memory = watchMemory(process.pid)
  {
    await using holder = await startHolder()
    assert.ok(holder.pid !== process.pid)
    const deadline = performance.now() + 5_000
    while (memory.peak().descendants < 64 * mebibyte && performance.now() < deadline) await pause(10)
  }
  assert.ok(memory.peak().descendants >= 64 * mebibyte, `${memory.peak().descendants} bytes`)
  assert.ok(memory.peak().own >= process.memoryUsage.rss() / 2)
})

test('the cpu time of an ended child is added to that of its parent', async () => {
  const before = { all: cpuSeconds(process.pid), children: endedChildrenCpuSeconds() }
  const busy = `const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);`
  await once(spawn(process.execPath, ['-e', busy], { stdio: 'ignore' }), 'exit')
  assert.ok(cpuSeconds(process.pid) - before.all >= 0.3)
  assert.ok(endedChildrenCpuSeconds() - before.children >= 0.25)
})
