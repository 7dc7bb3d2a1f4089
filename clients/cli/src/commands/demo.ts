import { once } from 'node:events'
import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { programName } from '../command-line/program-name.ts'

/** Adds `demo`. */
export function addDemoCommand(program: Command, session: CommandSession): void {
  const command = program
    .command('demo')
    .option('--once', 'stop afterwards: exit code 0 if every step succeeded, 20 otherwise')
    .action((flags: { once?: boolean }) => showDemo(session, flags.once ?? false))
  explain(command, 'Run a full hydration of a sample repository, with its own git server.', [
    'wadi demo',
    'wadi demo --once',
  ])
}

async function showDemo({ environment, signal }: CommandSession, stop: boolean): Promise<void> {
  const { openDemo } = await import('../demo/demo.ts')
  const print = (text: string) => void process.stdout.write(text)
  await using demo = await openDemo(print, programName(environment), signal)
  const broken = await demo.run()
  if (broken.length > 0)
    throw new CommandFailure(`the demo did not keep its promise: ${broken.join('; ')}`, 20)
  if (stop) return
  print(demo.nextSteps())
  if (!signal.aborted) await once(signal, 'abort')
  process.exitCode = 0
}
