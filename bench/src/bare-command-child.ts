import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { endWithParent } from './child-program.ts'
import { median } from './measurement.ts'

// Starts a command again and again from a process that has nothing else in it, since a start takes longer the larger the
// process is, and prints the median in milliseconds. Its arguments are the number of starts, the directory and the command.
endWithParent()
const [count = '', cwd = '', name = '', ...args] = process.argv.slice(2)
const warmUp = 10
const costs = []
for (let round = 0; round < Number(count) + warmUp; round++) {
  const started = performance.now()
  const child = spawn(name, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  await text(child.stdout)
  const [status] = await closed
  if (status !== 0) throw new Error(`${name} ended with status ${String(status)}`)
  if (round >= warmUp) costs.push({ wall: (performance.now() - started) / 1000, cpu: 0 })
}
process.stdout.write(`${median(costs).wall * 1000}\n`)
