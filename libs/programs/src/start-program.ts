import { startProgramSpan } from '@wadi/telemetry/process-span.ts'
import type { Span } from '@wadi/telemetry/span.ts'
import type { Program } from './program.ts'
import { type StartedProgram, StarterLostError } from './started-program.ts'
import { Starter } from './starter.ts'

let starter: Starter | undefined

/**
 * Starts a program from a small process that this one starts on the first call. A large process is not copied for it: the
 * system copies the table of all its memory at each start, and its changed memory afterwards.
 *
 * The program ends with this process, whatever ended it: by SIGTERM, and two seconds later by SIGKILL.
 * @throws the error of the system, with its code, when the program cannot be started, such as ENOENT, EAGAIN and EMFILE;
 *   StarterLostError, which may be tried again; FailedPreconditionError or UnavailableError when no program can be started
 */
export async function startProgram(program: Program): Promise<StartedProgram> {
  const span = startProgramSpan(program.label)
  try {
    const started = await startFromStarter(program)
    if (span) endWith(span, started)
    return started
  } catch (error) {
    span?.end({ error })
    throw error
  }
}

async function startFromStarter(program: Program): Promise<StartedProgram> {
  const first = usableStarter()
  const connection = await first.connect(program.hasInput)
  if (connection !== undefined) return await first.start(program, connection)
  const second = usableStarter()
  const another = await second.connect(program.hasInput)
  if (another === undefined) throw second.failure ?? new StarterLostError(program.label)
  return await second.start(program, another)
}

function usableStarter(): Starter {
  if (starter?.isUsable !== true) starter = new Starter()
  return starter
}

function endWith(span: Span, { exited }: StartedProgram): void {
  exited.then(
    ({ exitCode }) => span.end({ attributes: { 'process.exit.code': exitCode ?? -1 } }),
    (error: unknown) => span.end({ error }),
  )
}
