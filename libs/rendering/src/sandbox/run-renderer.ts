import { fileText } from '@wadi/manifests/file-text.ts'
import { lfsHint } from './lfs-hint.ts'
import { MissingInputError, missesInput } from '../tree/missing-input.ts'
import type { RenderRun } from '../render-run.ts'
import { runTool } from './run-tool.ts'
import { toolFailure } from './tool-failure.ts'

/**
 * Runs a renderer's tool at the root of the sandbox and returns its output.
 * @param command what a person would type, for messages
 * @param toRepositoryPaths makes the paths of a message relative to the repository, beyond those of the sandbox
 * @throws MissingInputError if the tool misses a file that the repository has
 */
export async function runRenderer(
  run: RenderRun,
  argv: readonly string[],
  command: string,
  remedy: string,
  toRepositoryPaths: (message: string) => string = (message) => message,
): Promise<string> {
  const { limits, signal } = run.context
  const result = await runTool(argv, {
    cwd: run.sandbox.repository,
    environment: run.sandbox.environment,
    timeoutMilliseconds: limits.timeoutMilliseconds,
    outputBytes: limits.toolOutputBytes,
    signal,
  })
  if (result.exitCode === 0) return fileText(result.output, `output of ${command.split('\n', 1).join()}`)
  const cleaned = run.sandbox.clean(result.errorOutput)
  const message = toRepositoryPaths(cleaned)
  if (await missesInput(cleaned, run.tree, run.path, run.sandbox.repository)) {
    throw new MissingInputError(message)
  }
  throw toolFailure(command, message, [lfsHint(run.sandbox.repository), remedy].filter(Boolean).join('\n'))
}
