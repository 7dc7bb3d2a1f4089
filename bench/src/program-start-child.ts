import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startProgram } from '@wadi/programs/start-program.ts'
import { endWithParent } from './child-program.ts'

// Starts a program again and again from a process that fills some memory, and prints the milliseconds of processor time that
// a start takes from the thread that starts it: by the starter, and by a copy of the process. Its arguments are the number of
// starts and the MiB of memory.
endWithParent()
const [rounds = 0, mebibytes = 0] = process.argv.slice(2).map(Number)
const filled = Buffer.alloc(mebibytes * 1024 ** 2, 1)
const environment = { PATH: process.env['PATH'] ?? '' }

async function byStarter(): Promise<void> {
  const program = { command: 'true', args: [], cwd: '/', environment, label: 'true' }
  const { stdin, stdout, stderr, closed } = await startProgram({
    ...program,
    leadsGroup: true,
    hasInput: true,
  })
  stdin.end()
  stdout.resume()
  stderr.resume()
  await closed
}

async function byCopy(): Promise<void> {
  const child = spawn('true', [], { cwd: '/', env: environment, stdio: 'pipe', detached: true })
  child.stdin.end()
  child.stdout.resume()
  child.stderr.resume()
  await once(child, 'close')
}

async function milliseconds(start: () => Promise<void>): Promise<number> {
  for (let round = 0; round < 5; round += 1) await start()
  const before = process.threadCpuUsage()
  for (let round = 0; round < rounds; round += 1) await start()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000 / rounds
}

const costs = { byStarter: await milliseconds(byStarter), byCopy: await milliseconds(byCopy) }
// The memory is there until the end.
process.stdout.write(`${JSON.stringify({ ...costs, bytes: filled.length })}\n`)
