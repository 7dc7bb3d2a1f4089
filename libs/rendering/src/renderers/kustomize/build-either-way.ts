import { DomainError } from '@wadi/errors/domain-error.ts'
import { kustomizationName } from '@wadi/engines/kustomize/kustomize.ts'
import { kustomizeWorkers } from '@wadi/engines/kustomize/kustomize-workers.ts'
import type { RenderContext, ToolOutput } from '../../run/render-run.ts'
import { runSandboxed } from '../../run/sandbox/sandboxed-run.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { prepareFastKustomize } from './fast-kustomize.ts'
import type { GivenKustomization } from './given-kustomization.ts'
import { buildKustomization } from './render-kustomize.ts'

/** The result of a build; `widened` if the tool wanted a file beyond the inputs. */
interface BuiltKustomization {
  readonly result: ToolOutput
  readonly widened: boolean
}

/**
 * Builds a kustomization with the tool, or within this process where that is known to give the same.
 * @throws what the tool throws
 */
export async function buildEitherWay(
  tree: FileTree,
  context: RenderContext,
  given: GivenKustomization,
): Promise<BuiltKustomization> {
  const tool = (): Promise<BuiltKustomization> => {
    const { path, build, inputs } = given
    const servers = build.remoteCharts
    const network = context.policy.allowRemoteBases || servers.length > 0
    const render = (run: Parameters<typeof buildKustomization>[0]) => buildKustomization(run, build)
    return runSandboxed(tree, context, { path, inputs, network, servers, render })
  }
  const { fast } = context
  if (fast === undefined) return await tool()
  const prepared = await prepareOrLeave(tree, context, given)
  if (prepared === undefined) {
    fast.guard.leave('kustomize')
    return await tool()
  }
  return await fast.guard.render({
    renderer: 'kustomize',
    name: kustomizationName(given.path),
    digest: prepared.digest,
    isStrict: fast.isStrict,
    prepare: async () => async (signal) => ({ result: await prepared.run(signal), widened: false }),
    tool,
    comparable: ({ result }) => result.output,
    signal: context.signal,
    engine: kustomizeWorkers(prepared.engine),
    // A process of kubectl takes as much memory as a thread.
  })
}

/** Undefined for a version that is not compiled in, and when something is wrong with the files or the options, which is the tool's to say. */
async function prepareOrLeave(
  ...given: Parameters<typeof prepareFastKustomize>
): Promise<Awaited<ReturnType<typeof prepareFastKustomize>> | undefined> {
  try {
    return await prepareFastKustomize(...given)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return undefined
  }
}
