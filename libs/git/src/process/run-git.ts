import path from 'node:path'
import { prepareCredentials, scrub } from '../remote/credentials.ts'
import type { GitCredentials } from '../remote/credentials.ts'
import { gitEnvironment } from './git-environment.ts'
import { classifyGitFailure, repositoryMoved, RepositoryMovedError } from './git-failure.ts'
import type { RepositoryUrl } from '../remote/repository-url.ts'
import { type ProgramInput, runChild } from './run-child.ts'

/** One call of git. */
export type RunGitOptions = {
  args: string[]
  /** The bare repository to work in; without it git runs outside any repository. */
  gitDirectory?: string
  /** The repository that the command talks to; its transport is the only one that git may use. */
  remote?: RepositoryUrl
  /** The addresses to connect to in place of those that the name of the remote's host leads to; none: those. */
  addresses?: readonly string[]
  /** Written to git's stdin. */
  input?: ProgramInput
  /** Configuration beside the hardened one. */
  config?: [string, string][]
  /** Variables beside the hardened ones; they win. */
  environment?: Record<string, string>
  /** Count only together with `remote`. */
  credentials?: GitCredentials | undefined
  signal?: AbortSignal | undefined
  /** Milliseconds until git is stopped; 90,000 by default. */
  timeoutMs?: number
  /** Bytes of stdout beyond which git is stopped; 64 MiB by default. */
  maxOutputBytes?: number
  /** Exit codes that are answers and not failures; 0 alone by default. */
  acceptExitCodes?: number[]
}

/** The output of git, and its exit code if several are accepted. */
export type GitResult = { stdout: Buffer; stderr: string; exitCode: number }

/**
 * Runs git with a fixed environment: nothing of the machine's or user's configuration, no prompts, no hooks, one
 * transport. Secrets reach it outside argv and are scrubbed from what it writes to stderr.
 * @throws the DomainError that `classifyGitFailure` makes of stderr, DeadlineExceededError after the timeout,
 *   CanceledError on abort, ResourceExhaustedError for too much output
 */
export async function runGit(options: RunGitOptions): Promise<GitResult> {
  const { args, remote, credentials, acceptExitCodes = [0] } = options
  const command = args[0] ?? 'command'
  const { stdout, stderr, exitCode } = await spawnGit(options, args)
  if (exitCode !== null && acceptExitCodes.includes(exitCode)) return { stdout, stderr, exitCode }
  const operation = remote === undefined ? { command } : { command, url: remote.text, credentials }
  const failure = classifyGitFailure(scrub(stderr, credentials), exitCode, operation)
  if (failure instanceof RepositoryMovedError && remote !== undefined) throw await moved(options, remote)
  throw failure
}

async function spawnGit(
  options: RunGitOptions,
  args: string[],
  trace: Record<string, string> = {},
): Promise<{ stdout: Buffer; stderr: string; exitCode: number | null }> {
  const { remote } = options
  await using prepared =
    remote === undefined
      ? undefined
      : await prepareCredentials(options.credentials ?? {}, remote, options.addresses)
  const gitDirectory = options.gitDirectory === undefined ? undefined : path.resolve(options.gitDirectory)
  const result = await runChild({
    command: 'git',
    args,
    cwd: gitDirectory ?? '/',
    environment: gitEnvironment({
      ...(gitDirectory === undefined ? {} : { gitDirectory }),
      ...(remote === undefined ? {} : { transport: remote.transport }),
      config: [...(prepared?.config ?? []), ...(options.config ?? [])],
      environment: { ...prepared?.environment, ...options.environment, ...trace },
    }),
    ...(options.input === undefined ? {} : { input: options.input }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    timeoutMs: options.timeoutMs ?? 90_000,
    maxOutputBytes: options.maxOutputBytes ?? 64 * 1024 * 1024,
    label: `git ${args[0] ?? ''}`,
  })
  return { ...result, stderr: scrub(result.stderr, options.credentials) }
}

/** git says that there was a redirect but not where to: asks once more and reads the answer's headers. */
async function moved(options: RunGitOptions, remote: RepositoryUrl): Promise<RepositoryMovedError> {
  const { input: _input, ...question } = options
  const { stderr } = await spawnGit(question, ['ls-remote', '--', remote.text, 'HEAD'], {
    GIT_TRACE_CURL: '1',
    GIT_TRACE_CURL_NO_DATA: '1',
  })
  const header = /Recv header: location: *(\S+)/i.exec(stderr)?.[1]
  return repositoryMoved(remote.text, header)
}
