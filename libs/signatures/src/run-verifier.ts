import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { runChild } from '@wadi/git/run-child.ts'

/** The programs that verify signatures, and the packages that bring them. */
const packages = { gpg: 'gnupg', 'ssh-keygen': 'openssh-client' }

const timeoutMs = 20_000
const maxOutputBytes = 4 * 1024 ** 2

/** What a verifying program said. */
export interface VerifierResult {
  stdout: string
  stderr: string
  exitCode: number | null
}

/**
 * Runs gpg or ssh-keygen in a private folder: nothing of the environment but the PATH, no terminal, 20 s at most.
 * @throws FailedPreconditionError that names what to install when the program is not there
 */
export async function runVerifier(
  program: keyof typeof packages,
  args: string[],
  { home, input = '', signal }: { home: string; input?: Buffer | string; signal?: AbortSignal | undefined },
): Promise<VerifierResult> {
  try {
    const { stdout, stderr, exitCode } = await runChild({
      command: program,
      args,
      cwd: home,
      environment: { PATH: process.env['PATH'] ?? '', HOME: home, GNUPGHOME: home, LC_ALL: 'C' },
      input,
      timeoutMs,
      maxOutputBytes,
      label: program,
      ...(signal && { signal }),
    })
    return { stdout: stdout.toString(), stderr, exitCode }
  } catch (error) {
    if (!(error instanceof FailedPreconditionError)) throw error
    throw new FailedPreconditionError(
      `${program} is not installed where repo-server runs, so no signature can be verified; ` +
        `install ${packages[program]} there (apt-get install ${packages[program]})`,
      { cause: error },
    )
  }
}
