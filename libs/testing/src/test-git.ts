import { text } from 'node:stream/consumers'
import { startProgram } from '@wadi/programs/start-program.ts'

/**
 * Runs git in a directory, with the environment of the test, and returns what it prints. It is started by a small process, as
 * a process of tests has some hundred megabytes, which would be copied.
 * @param input what git reads from its standard input
 * @throws what git says when it fails
 */
export async function runTestGit(
  directory: string,
  args: readonly string[],
  input?: string,
): Promise<string> {
  const environment = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const program = { command: 'git', args, cwd: directory, environment, label: 'git' }
  const git = await startProgram({ ...program, leadsGroup: false, hasInput: input !== undefined })
  if (input !== undefined) git.stdin.end(input)
  const [output, errors, { exitCode }] = await Promise.all([text(git.stdout), text(git.stderr), git.closed])
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${errors || `exit code ${exitCode}`}`)
  return output
}

/** git in the working copy of a test, which gives each the arguments after its name. */
export interface TestGit {
  /** Any command; returns what it prints. */
  raw(args: readonly string[]): Promise<string>
  push(args: readonly string[]): Promise<string>
  fetch(args: readonly string[]): Promise<string>
  addRemote(name: string, url: string): Promise<string>
  /** Returns the output of `git rev-parse`, without the end of its line. */
  revparse(args: readonly string[]): Promise<string>
}

/** Runs git in a directory as `runTestGit` does. */
export function testGit(directory: string): TestGit {
  const raw = (args: readonly string[]): Promise<string> => runTestGit(directory, args)
  return {
    raw,
    push: (args) => raw(['push', '--quiet', ...args]),
    fetch: (args) => raw(['fetch', '--quiet', ...args]),
    addRemote: (name, url) => raw(['remote', 'add', name, url]),
    revparse: async (args) => (await raw(['rev-parse', ...args])).trim(),
  }
}
