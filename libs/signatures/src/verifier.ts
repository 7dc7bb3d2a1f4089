import { abortError } from '@wadi/concurrency/abort-error.ts'
import type { Containment } from '@wadi/containment/containment.ts'
import { findProgram, pathDirectories } from '@wadi/containment/find-program.ts'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'

/** The programs that verify signatures, and the packages that bring them. */
const packages = { gpg: 'gnupg', 'ssh-keygen': 'openssh-client' }

const timeoutMs = 20_000
const maxOutputBytes = 4 * 1024 ** 2

/** The directory and the containment of programs that verify signatures: they read untrusted input. */
export interface Verifier {
  /** For directories of their own. */
  directory: string
  containment: Pick<Containment, 'run'>
}

/** The output of a verifying program. */
interface VerifierResult {
  stdout: string
  stderr: string
  exitCode: number
}

/**
 * Runs gpg or ssh-keygen within the bounds of the containment: nothing of the environment, no network, no files but those
 * of the private directory `home`, 20 s at most. It reads the file `input`, which lies there, from its standard input.
 * @throws FailedPreconditionError that names what to install when the program is not there, and the errors of the
 *   containment
 */
export async function runVerifier(
  { containment }: Pick<Verifier, 'containment'>,
  program: keyof typeof packages,
  args: string[],
  { home, input, signal }: { home: string; input?: string; signal?: AbortSignal | undefined },
): Promise<VerifierResult> {
  const file = findProgram(program, pathDirectories(process.env['PATH']))
  if (file === undefined) {
    throw new FailedPreconditionError(
      `${program} is not installed here, so no signature can be verified; ` +
        `install ${packages[program]} (apt-get install ${packages[program]})`,
    )
  }
  const argv =
    input === undefined ? [file, ...args] : ['/bin/sh', '-c', 'exec "$@" <"$0"', input, file, ...args]
  const { output, errorOutput, exitCode } = await containment.run(argv, {
    shownAs: program,
    cwd: home,
    environment: { HOME: home, GNUPGHOME: home, LC_ALL: 'C' },
    timeoutMs,
    graceMs: 0,
    outputBytes: maxOutputBytes,
    signal,
    clean: (text) => text,
    stopError: (ended) => abortError(ended, program),
    cpuSeconds: timeoutMs / 1000,
    processes: 64,
    fileBytes: 64 * 1024 ** 2,
    isolation: { view: 'system', directory: home, network: false, otherPrograms: [file] },
  })
  return { stdout: output.toString(), stderr: errorOutput, exitCode }
}

/** The error of a program that could not do its work, which says nothing of the signature. */
export function brokenVerifier(program: string, stderr: string): FailedPreconditionError {
  return new FailedPreconditionError(
    `${program} does not work here, so no signature can be verified: ${stderr.slice(-500) || 'no message'}`,
  )
}
