import { text } from 'node:stream/consumers'
import { startProgram } from '@wadi/programs/start-program.ts'

/**
 * Runs git in a directory, with the environment of the test, and returns what it prints. It is started by a small process, as
 * a process of tests has some hundred megabytes, which would be copied.
 * @throws what git says when it fails
 */
export async function runTestGit(directory: string, args: readonly string[]): Promise<string> {
  const environment = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const program = { command: 'git', args, cwd: directory, environment, label: 'git' }
  const git = await startProgram({ ...program, leadsGroup: false, hasInput: false })
  const [output, errors, { exitCode }] = await Promise.all([text(git.stdout), text(git.stderr), git.closed])
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${errors || `exit code ${exitCode}`}`)
  return output
}
