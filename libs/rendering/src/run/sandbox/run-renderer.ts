import { diskFull } from '@wadi/errors/machine-shortage.ts'
import { zoneFile } from '@wadi/gotemplate/zone-file.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import { lfsHint } from './lfs-hint.ts'
import { MissingInputError, missesInput } from '@wadi/file-trees/missing-input.ts'
import type { RenderRun } from '../render-run.ts'
import type { Tool } from '@wadi/renderer-tools/find-tools.ts'
import { withSameTools } from '@wadi/renderer-tools/same-tools.ts'
import { toolFailure } from './tool-failure.ts'

/** Most processes and threads of a renderer. */
const maxProcesses = 512

/**
 * When a tool in Go collects garbage. Tools live for a moment and use little memory: with the default of 100 they do it for a fifth of
 * their time, and at 200 helm and kubectl take a seventh less. From three quarters of the memory that it may have, a tool collects all
 * garbage rather than be killed for it.
 */
function goCollector(memoryBytes: number): { GOGC: string; GOMEMLIMIT: string } {
  return { GOGC: '200', GOMEMLIMIT: String(Math.floor(memoryBytes * 0.75)) }
}

/** Largest file that a renderer may write, in bytes. */
const maxFileBytes = 1024 ** 3

/** The command of a renderer, and the message of its failure. */
export interface RendererCommand {
  /** The programs that run, of which the first is started. */
  readonly tools: readonly Tool[]
  readonly argv: readonly string[]
  /** Absolute paths of programs that it starts itself. */
  readonly otherPrograms?: readonly string[]
  /** Variables that it gets beside those of the sandbox. */
  readonly environment?: Readonly<Record<string, string>>
  /** The command as a person would type it, for messages. */
  readonly shown: string
  readonly remedy: string
  /** Makes the paths of a message relative to the repository, beyond those of the sandbox. */
  readonly toRepositoryPaths?: (message: string) => string
}

/**
 * Runs a renderer's tool at the root of the sandbox and returns its output.
 * @throws UnavailableError if a program is replaced meanwhile, MissingInputError if the tool misses a file that the repository has, InvalidInputError if it fails otherwise, and
 *   what a containment throws above a limit
 */
export async function runRenderer(run: RenderRun, command: RendererCommand): Promise<string> {
  const { limits, signal, containment } = run.context
  const { argv, otherPrograms = [], shown, remedy, toRepositoryPaths } = command
  const { directory, network, repository, environment } = run.sandbox
  const [tool = ''] = shown.split(' ')
  const contained = {
    shownAs: tool,
    cwd: repository,
    environment: { ...environment, ...command.environment, ...goCollector(containment.memoryBytes) },
    timeoutMs: limits.timeoutMilliseconds,
    graceMs: 0,
    outputBytes: limits.toolOutputBytes,
    signal,
    clean: (text: string) => run.sandbox.clean(text),
    cpuSeconds: Math.ceil(limits.timeoutMilliseconds / 1000) + 1,
    processes: maxProcesses,
    fileBytes: maxFileBytes,
    // What is on the network may need git, certificates and the names of hosts.
    isolation: {
      view: network ? ('system' as const) : ('program' as const),
      directory,
      network,
      otherPrograms,
      files: [zoneFile],
      trialArguments: tool === 'kubectl' ? ['version', '--client'] : ['version'],
    },
  }
  const result = await withSameTools(
    command.tools,
    async (version) => containment.run(version, contained),
    async () => containment.run(argv, contained),
  )
  if (result.exitCode === 0 && result.signal === undefined)
    return fileText(
      result.output,
      `output of ${shown.split('\n', 1).join()}`,
      'save the templates and values that it is from as UTF-8',
    )
  const cleaned = result.errorOutput
  const message = toRepositoryPaths?.(cleaned) ?? cleaned
  if (await missesInput(cleaned, run.tree, run.path, repository)) throw new MissingInputError(message)
  if (/no space left on device/i.test(cleaned)) throw diskFull(`the files of ${tool}`)
  const killed = result.signal === undefined ? '' : `it was killed by ${result.signal}: `
  throw toolFailure(shown, `${killed}${message}`, [lfsHint(repository), remedy].filter(Boolean).join('\n'))
}
