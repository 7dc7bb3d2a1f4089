import { create } from '@bufbuild/protobuf'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { withContext } from '@wadi/errors/with-context.ts'
import {
  RenderRecordSchema,
  ToolSchema,
  type Tool as RecordedTool,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { chartArgument } from '../helm/helm-arguments.ts'
import type { ManifestText } from '../../run/manifests/manifest-job.ts'
import type { PlanOutput, ToolVersion } from '../../plan/plan.ts'
import { readFiles } from '../../run/read-files.ts'
import type { RenderContext } from '../../run/render-run.ts'
import { shellCommand } from '@wadi/programs/shell-quote.ts'
import { withDigests } from '@wadi/renderer-tools/find-tools.ts'
import { withPins } from '@wadi/renderer-tools/tool-pins.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { type CompositeSource, type PlanPart } from './composite-source.ts'

/** Renders the parts of a source one after the other, each with the inputs of its part alone, and reads the manifests of all. */
export async function runParts(
  { path, parts, files: written }: CompositeSource,
  tools: readonly ToolVersion[],
  tree: FileTree,
  context: RenderContext,
): Promise<PlanOutput> {
  const warnings: string[] = []
  const changedIdentities: string[] = []
  const files: ManifestText[] = []
  const recorded = new Map(tools.map((tool) => [toolKey(tool), create(ToolSchema, tool)]))
  let widened = false
  for (const part of parts) {
    const { placement } = part
    if ('files' in part) {
      const texts = part.files.map(({ path: file, ...text }) => ({ file, ...text, jsonnet: false }))
      files.push(...texts.map((file) => ({ ...file, placement })))
      continue
    }
    context.signal?.throwIfAborted()
    const printed = await withContext(part.label, () => runPart(part, tree, context), InvalidInputError)
    files.push(...printed.files.map((file) => ({ ...file, placement })))
    const { record, result } = printed.output
    warnings.push(...record.warnings, ...('files' in result ? [] : result.textWarnings))
    for (const tool of printed.tools) recorded.set(toolKey(tool), tool)
    changedIdentities.push(...printed.output.changedIdentities)
    widened ||= printed.output.widened
  }
  const read = await readFiles(files, context)
  return {
    result: { ...read, warnings: [], textWarnings: [] },
    files: written.map(({ path: file, content }) => ({ path: file, content })),
    widened,
    changedIdentities,
    record: create(RenderRecordSchema, {
      commands: [shellCommand(['wadi', 'render', chartArgument(path)])],
      tools: [...recorded.values()],
      warnings: [...new Set([...warnings, ...read.textWarnings, ...read.warnings])],
    }),
  }
}

/** Equal for one version of one tool. */
export function toolKey({ name, version }: ToolVersion): string {
  return `${name} ${version}`
}

async function runPart(
  { plan, pins, label, finish }: PlanPart,
  tree: FileTree,
  context: RenderContext,
): Promise<{ output: PlanOutput; files: ManifestText[]; tools: RecordedTool[] }> {
  const tools = await withPins(context.tools, pins)
  // What is rendered without the tool is read at once, before anything can be replaced in its text.
  const { fast } = finish === undefined ? context : {}
  const output = await plan.run(tree, { ...context, tools, fast })
  const { result } = output
  const recorded = withDigests(output.record.tools, tools)
  if (!('files' in result)) {
    const text = result.manifests.join('\n---\n')
    return { output, tools: recorded, files: [{ file: label, owners: [label], text, jsonnet: false }] }
  }
  const files: ManifestText[] = []
  for (const { file, text, ...rest } of result.files) {
    const finished = finish === undefined ? text : await finish(text, context.signal)
    files.push({ ...rest, owners: [label], file: `${label}: ${file}`, text: finished })
  }
  return { output, files, tools: recorded }
}
