import { once } from 'node:events'
import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { programName } from '../command-line/program-name.ts'

/** Defines `demo`. */
export function defineDemoCommand(command: Command, session: CommandSession): void {
  command
    .option('--once', 'stop afterwards: exit code 0 if every step succeeded, 20 otherwise')
    .action((flags: { once?: boolean }) => showDemo(session, flags.once ?? false))
  showExamples(command, 'wadi demo', 'wadi demo --once')
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
