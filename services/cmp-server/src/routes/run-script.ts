import path from 'node:path'
import type { HandlerContext } from '@connectrpc/connect'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { reworded } from '@wadi/errors/reword.ts'
import type { RunScriptRequest, Script } from '@wadi/protocol/gen/wadi/cmp_server/v1/command_service_pb.ts'
import { extractArchive } from '../archive/extract-archive.ts'
import { type ArchiveMessages, type ReceivedArchive, receiveArchive } from '../archive/receive-archive.ts'
import { makeCopyDirectory, outerEnvironment } from '../commands/script-runner.ts'
import { checkScriptText, scriptVariables } from '../commands/script-variables.ts'
import type { CmpServerContext } from '../context.ts'
import { variableRedactor } from '../environment/secrets.ts'
import { applicationDirectory } from '../run/application-directory.ts'
import { guardDisk } from '../run/disk-guard.ts'
import { reported, withoutDirectory } from '../run/plugin-run.ts'
import { removeDirectory } from '../run/remove-directory.ts'
import { runCommand } from '../run/run-command.ts'

const scriptMessages: ArchiveMessages<RunScriptRequest, Script> = {
  header: ({ part }) => (part.case === 'script' ? part.value : undefined),
  checksum: ({ archiveChecksum }) => archiveChecksum,
  chunk: ({ part }) => (part.case === 'chunk' ? part.value : undefined),
  errors: {
    header: 'the first message must carry the script',
    chunk: 'a message after the first must carry a chunk of the archive',
  },
}

/** The parts that both runs of a script share. */
interface ScriptRun {
  readonly received: ReceivedArchive<Script>
  readonly variables: ReadonlyMap<string, string>
  /** The directory of the call. */
  readonly directory: string
  readonly signal: AbortSignal
  readonly clean: (text: string) => string
}

/**
 * Runs a script twice, each time in a fresh copy of the files, and returns what it wrote both times. The stream is read to
 * its end also when scripts are not allowed.
 */
export function runScript(context: CmpServerContext) {
  return async (requests: AsyncIterable<RunScriptRequest>, { signal }: HandlerContext) => {
    await using directory = context.runs.open()
    const archive = path.join(directory.path, 'archive')
    const received = await receiveArchive(requests, scriptMessages, archive, context.limits.compressedBytes)
    const { refusedBecause } = context.scripts
    if (refusedBecause !== '') throw new FailedPreconditionError(refusedBecause)
    checkScriptText(received.header.text)
    const variables = scriptVariables(received.header.environment)
    const clean = cleaner(context, received.header)
    const slot = await context.slots.take(signal)
    try {
      const run = { received, variables, directory: directory.path, signal, clean }
      const first = await runOnce(context, run, 'first')
      const second = await runOnce(context, run, 'second')
      if (first !== second) throw new InvalidInputError(differs)
      return { output: first }
    } catch (error) {
      throw reworded(error, (text) => withoutDirectory(clean(text), directory.path))
    } finally {
      slot.giveBack()
    }
  }
}

const differs =
  'the script does not write the same twice, and hydration must be repeatable: leave secrets and whatever else is made up on the way to a controller or a mutating webhook in the cluster, or commit the value to git'

async function runOnce(context: CmpServerContext, run: ScriptRun, name: string): Promise<string> {
  const { received, variables, signal, clean } = run
  const copy = makeCopyDirectory(run.directory, name)
  const root = path.join(copy, 'files')
  await extractArchive(received.read(), root, context.limits, { preserveFileMode: true, signal })
  const directory = applicationDirectory(root, received.header.folder)
  const { text, timeLimit } = received.header
  const timeoutMs = shorter(context.commands.timeoutMs, timeLimit)
  const { argv, isolation } = context.scripts.command({ text, copy, variables })
  await using disk = await guardDisk(run.directory, context.limits.extractedBytes)
  const output = await reported(context, 'script', () =>
    runCommand(argv, {
      ...context.commands,
      timeoutMs,
      cwd: directory,
      runDirectory: run.directory,
      environment: outerEnvironment(context.programDirectories),
      programDirectories: context.programDirectories,
      signal: AbortSignal.any([signal, disk.signal]),
      clean: (words) => withoutDirectory(clean(words), root),
      shownAs: 'the script',
      isVerbatim: true,
      isolation,
    }),
  )
  await removeDirectory(copy)
  return output.text
}

function shorter(milliseconds: number, asked: bigint): number {
  return asked > 0n && asked < BigInt(milliseconds) ? Number(asked) : milliseconds
}

/** Hides the secrets of the service and those that the script is given. */
function cleaner(
  { environment }: CmpServerContext,
  { environment: given }: Script,
): (text: string) => string {
  return variableRedactor([...[...environment].map(([name, value]) => ({ name, value })), ...given])
}
