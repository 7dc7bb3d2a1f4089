import { setTimeout as delay } from 'node:timers/promises'
import { FailedPreconditionError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { runChild, type ProgramInput } from '@wadi/git/process/run-child.ts'
import { startChild } from '@wadi/git/process/start-child.ts'
import { isListening } from './private-directory.ts'
import { signalProgram } from '@wadi/programs/started-program.ts'

/** The programs that sign, and the packages that bring them. */
const packages: Readonly<Record<string, string>> = {
  gpg: 'gnupg',
  'gpg-agent': 'gnupg',
  'ssh-agent': 'openssh-client',
  'ssh-add': 'openssh-client',
  'ssh-keygen': 'openssh-client',
}

/** People may have to touch a hardware key. */
const timeoutMs = 60_000
const maxOutputBytes = 1024 ** 2
const agentStartMs = 20_000
const stopMs = 2_000

/** One run of a program that signs. */
interface SigningRun {
  /** The private directory to work in. */
  home: string
  environment?: Record<string, string>
  input?: ProgramInput
  signal?: AbortSignal | undefined
}

/**
 * Runs a program with nothing of the environment but the path; an exit code is a result.
 * @throws FailedPreconditionError that names what to install, DeadlineExceededError after a minute
 */
export async function runSigningProgram(
  command: string,
  args: string[],
  { home, environment = {}, input, signal }: SigningRun,
): Promise<{ stdout: string; stderr: string; exitCode: number | null }> {
  const { stdout, stderr, exitCode } = await withPackage(command, () =>
    runChild({
      command,
      args,
      cwd: home,
      environment: programEnvironment(home, environment),
      ...(input !== undefined && { input }),
      ...(signal && { signal }),
      timeoutMs,
      maxOutputBytes,
      label: command,
    }),
  )
  return { stdout: stdout.toString(), stderr, exitCode }
}

/**
 * Starts an agent that listens on a socket; it ends with this process, or when it is disposed.
 * @throws UnavailableError if it does not listen
 */
export async function startAgent(
  command: string,
  args: string[],
  home: string,
  socket: string,
): Promise<AsyncDisposable> {
  const program = {
    command,
    args,
    cwd: home,
    environment: programEnvironment(home),
    leadsGroup: true,
    label: command,
  }
  const agent = await withPackage(command, () => startChild(program))
  let output = ''
  agent.stdout.resume()
  agent.stderr.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-500)
  })
  agent.setReferenced(false)
  let hasEnded = false
  const ended = agent.closed.then(
    () => (hasEnded = true),
    () => (hasEnded = true),
  )
  const stop = async (): Promise<void> => {
    agent.setReferenced(true)
    if (!hasEnded) signalProgram(agent.pid, 'SIGTERM', 'group')
    const kill = setTimeout(() => signalProgram(agent.pid, 'SIGKILL', 'group'), stopMs)
    await ended
    clearTimeout(kill)
  }
  const started = performance.now()
  while (!(await isListening(socket))) {
    if (hasEnded || performance.now() - started > agentStartMs) {
      await stop()
      throw new UnavailableError(`${command} does not start: ${output.trim() || 'no message'}`)
    }
    await delay(10)
  }
  return { [Symbol.asyncDispose]: stop }
}

function programEnvironment(home: string, more: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: home, GNUPGHOME: home, LC_ALL: 'C', ...more }
}

async function withPackage<T>(command: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FailedPreconditionError)) throw error
    throw new FailedPreconditionError(
      `${error.message}; to sign commits, install ${packages[command] ?? command} where commit-server runs`,
      { cause: error },
    )
  }
}
