import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { type KustomizeEngine, kustomizeEngineOf } from '@wadi/gotemplate/engine-versions.ts'
import { kustomizeWorkers } from '@wadi/engines/kustomize/kustomize-workers.ts'
import { UnsupportedFastWay } from '@wadi/engines/guard/two-ways.ts'
import type { RenderContext, ToolOutput } from '../../run/render-run.ts'
import { copyInputs } from '../../run/sandbox/copy-inputs.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { boundKustomizationAliases } from './bounded-aliases.ts'
import type { GivenKustomization } from './given-kustomization.ts'
import { editKustomization } from './kustomize-edit.ts'
import { enableHelm } from './kustomize-charts.ts'
import type { KustomizeBuild } from './kustomize-build.ts'
import { kustomizationForm } from './kustomize-form.ts'
import { kustomizeCommand } from './render-kustomize.ts'

/** The most that the engine is given; it holds files several times while it builds. */
const inputLimits = { inputBytes: 16 * 1024 * 1024, inputFiles: 10_000 }

/** Build options that change nothing for a kustomization without charts. */
const optionsWithoutEffect = new Set([enableHelm, '--load-restrictor=LoadRestrictionsRootOnly'])

/** File names that the engine's file system in memory takes. */
const plainPath = /^[\w.:/-]+$/

/** A build that is ready for the engine. */
interface FastBuild {
  /** The version of Kustomize that builds. */
  readonly engine: KustomizeEngine
  /** Equal for builds that ask the same of the engine. */
  readonly digest: string
  run(signal: AbortSignal | undefined): Promise<ToolOutput>
}

/**
 * Prepares the build of a kustomization by Kustomize's engine within this process; undefined for a version that is not compiled in. Where
 * the plan shows that only the tool can build it, `run` throws an UnsupportedFastWay.
 * @throws what the tool's own preparation throws
 */
export async function prepareFastKustomize(
  tree: FileTree,
  context: RenderContext,
  given: GivenKustomization,
): Promise<FastBuild | undefined> {
  const { version } = context.tools.kustomize
  const engine = kustomizeEngineOf(version)
  if (engine === undefined) return undefined
  try {
    refuseUnsupported(context, given.build)
    const { digest, run } = await prepare(engine, tree, context, given)
    return { engine, digest: `${version} ${digest}`, run }
  } catch (error) {
    if (!(error instanceof UnsupportedFastWay)) throw error
    return { engine, digest: `${version} ${error.message}`, run: async () => Promise.reject(error) }
  }
}

async function prepare(
  engine: KustomizeEngine,
  tree: FileTree,
  context: RenderContext,
  { path, build, inputs }: GivenKustomization,
): Promise<Omit<FastBuild, 'engine'>> {
  const files = await readFiles(tree, inputs)
  const textOf = (file: string): string | undefined => {
    const content = files.get(file)
    return content && Buffer.from(content).toString()
  }
  boundKustomizationAliases(textOf, build)
  const edited = editKustomization(textOf(build.file) ?? '', build.file, build.options)
  if (edited.commands.length > 0) files.set(build.file, Buffer.from(edited.text))
  const { limits } = context
  const { file, command } = kustomizeCommand(path, build, context)
  const texts = (paths: readonly string[]): string[] => paths.map((name) => textOf(name) ?? '')
  return {
    digest: kustomizationForm(texts(build.kustomizations), texts(build.yamlFiles)),
    run: async (signal) => {
      const output = await kustomizeWorkers(engine).run({ path, files }, { signal })
      if (output.length > limits.toolOutputBytes) {
        throw new ResourceExhaustedError(`the output is larger than ${limits.toolOutputBytes} bytes`)
      }
      return { file, output, commands: [...edited.commands, command] }
    },
  }
}

function refuseUnsupported({ policy }: RenderContext, { remote, usesHelm }: KustomizeBuild): void {
  if (usesHelm) throw new UnsupportedFastWay('does not run Helm for charts')
  const option = policy.kustomizeBuildOptions.find((name) => !optionsWithoutEffect.has(name))
  if (option !== undefined) throw new UnsupportedFastWay(`does not support the build option ${option}`)
  if (remote !== undefined) throw new UnsupportedFastWay(`does not fetch "${remote}"`)
}

/** Reads all that a build may read; a symlink becomes what it leads to, as in a sandbox. */
async function readFiles(tree: FileTree, inputs: readonly string[]): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  await copyInputs(tree, inputs, inputLimits, {
    copied: new Set(),
    directory: () => undefined,
    file: (path, content) => {
      if (!plainPath.test(path)) throw new UnsupportedFastWay(`does not read a file with the name "${path}"`)
      // A copy of its own: what is sent to a thread takes the whole buffer of which it is a part.
      files.set(path, Uint8Array.from(content))
    },
  }).catch((error: unknown) => {
    if (!(error instanceof ResourceExhaustedError)) throw error
    throw new UnsupportedFastWay(`does not read so many files: ${error.message}`)
  })
  return files
}
