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

test('the peak has the memory of descendants that ended, pages that processes share once', async () => {
  using memory = watchMemory(process.pid)
  assert.ok(memory.peak().own > 0, 'the first sample is taken at once')
  {
    await using holder = await startHolder()
    await using other = await startHolder()
    assert.notEqual(holder.pid, other.pid)
    const deadline = performance.now() + 60_000
    while (memory.peak().descendants < 128 * mebibyte && performance.now() < deadline) await pause(10)
  }
  const { own, descendants } = memory.peak()
  assert.ok(descendants >= 128 * mebibyte, `${descendants} bytes`)
  assert.ok(own >= process.memoryUsage().heapUsed / 2 && own < process.memoryUsage.rss() * 2, `${own} bytes`)
})

test('the cpu time of an ended child is added to that of its parent', async () => {
  const before = { all: cpuSeconds(process.pid), children: endedChildrenCpuSeconds() }
  const busy = `const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);`
  await once(spawn(process.execPath, ['-e', busy], { stdio: 'ignore' }), 'exit')
  assert.ok(cpuSeconds(process.pid) - before.all >= 0.3)
  assert.ok(endedChildrenCpuSeconds() - before.children >= 0.25)
})
