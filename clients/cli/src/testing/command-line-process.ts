import { enableCompileCache } from 'node:module'
import { globalAgent as httpAgent } from 'node:http'
import { globalAgent as httpsAgent } from 'node:https'
import { PassThrough } from 'node:stream'
import type { CommandLineOrder } from './command-line-process-fixture.ts'

// The command line in a process that runs one command after the other: each gets its own variables, directory and input,
// and ends when nothing keeps the process alive any more, as a process that runs one command does.

enableCompileCache()
const { runCommandLine } = await import('../command-line/command-line.ts')

/** The exit code of Node.js for a program that waits for what never comes. */
const unsettledExitCode = 13

let running: { order: CommandLineOrder; isSettled: boolean } | undefined

process.on('message', (order: CommandLineOrder) => {
  running = { order, isSettled: false }
  void start(running)
})
// Emitted when nothing is left to do.
process.on('beforeExit', () => {
  if (running === undefined) return
  const { order, isSettled } = running
  running = undefined
  // What a process leaves behind goes with it.
  httpAgent.destroy()
  httpsAgent.destroy()
  process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM')
  process.stdout.removeAllListeners('error')
  process.stdout.write(order.end)
  process.stderr.write(order.end)
  process.channel?.ref()
  process.send?.(isSettled ? (process.exitCode ?? 0) : unsettledExitCode)
  process.exitCode = undefined
})

async function start(state: { order: CommandLineOrder; isSettled: boolean }): Promise<void> {
  const { args, environment, directory, input } = state.order
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name)
  Object.assign(process.env, environment)
  process.chdir(directory)
  const begin = performance.now()
  process.uptime = () => (performance.now() - begin) / 1_000
  Object.defineProperty(process, 'stdin', { configurable: true, value: new PassThrough().end(input) })
  process.channel?.unref()
  await runCommandLine(args, process.env)
  state.isSettled = true
}
