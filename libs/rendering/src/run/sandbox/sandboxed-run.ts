import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { MissingInputError } from '@wadi/file-trees/missing-input.ts'
import type { RenderContext, RenderRun } from '../render-run.ts'
import { rootOf } from '@wadi/file-trees/repository-path.ts'
import { wayOfMachine } from '@wadi/renderer-tools/outside-way.ts'
import { Sandbox } from './sandbox.ts'

/** A render in a sandbox of its own. */
export interface SandboxedWork<Result> {
  /** The directory or archive to render, from the repository's root. */
  readonly path: string
  /** All that the tool may read. */
  readonly inputs: readonly string[]
  /** True if the tool may reach the network. */
  readonly network: boolean
  /** The servers that it downloads there from, as far as they are known. */
  readonly servers?: readonly string[]
  readonly render: (run: RenderRun) => Promise<Result>
}

/**
 * Runs a tool in a sandbox that holds its inputs alone; if it misses a file that the tree has, once more with the whole
 * repository, which `widened` says.
 */
export async function runSandboxed<Result>(
  tree: FileTree,
  context: RenderContext,
  work: SandboxedWork<Result>,
): Promise<{ result: Result; widened: boolean }> {
  try {
    return { result: await runOnce(tree, context, work, work.inputs), widened: false }
  } catch (error) {
    if (!(error instanceof MissingInputError)) throw error
    return { result: await runOnce(tree, context, work, undefined), widened: true }
  }
}

async function runOnce<Result>(
  tree: FileTree,
  context: RenderContext,
  { path, network, servers = [], render, inputs: found }: SandboxedWork<Result>,
  inputs: readonly string[] | undefined,
): Promise<Result> {
  using _ = await context.sandboxes?.take(context.signal)
  const way = network ? ((await context.wayTo?.(servers)) ?? wayOfMachine()) : undefined
  await using sandbox = new Sandbox(context.sandboxRoot, way)
  const all = inputs ?? ['', ...found.filter((input) => rootOf(input) !== '')]
  await sandbox.writeInputs(tree, all, context.limits, inputs === undefined)
  return await render({ tree, path, context, sandbox, inputs: found })
}
