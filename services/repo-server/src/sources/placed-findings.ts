import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { readTexts } from '@wadi/file-trees/read-texts.ts'
import type { Finding, UnplacedFinding } from '@wadi/gates/finding.ts'
import type { GateThreads } from '@wadi/gates/threads/gate-threads.ts'
import type { SourceInspection } from '@wadi/rendering/inspection/source-inspection.ts'
import { originFiles } from '@wadi/rendering/run/origin-files.ts'
import type { Rendered } from '@wadi/rendering/run/render-run.ts'

/** A source whose objects were checked. */
export interface CheckedSource {
  readonly tree: FileTree
  readonly inspection: Pick<SourceInspection, 'inputs' | 'plan'>
  readonly rendered: Pick<Rendered, 'manifests' | 'record'>
}

/**
 * Adds the places of findings: where the value is written, else the object.
 * @throws what `GateThreads.place` throws
 */
export async function placedFindings(
  threads: Pick<GateThreads, 'place'>,
  { tree, inspection: { inputs, plan }, rendered: { manifests, record } }: CheckedSource,
  findings: readonly UnplacedFinding[],
  signal: AbortSignal,
): Promise<Finding[]> {
  const files = await originFiles(tree, plan, { manifests, origins: record.origins })
  const places = await threads.place(
    await readTexts(tree, inputs),
    findings.map(({ written, object, field, position = -1 }) => {
      return { written, object, field, file: files[position] }
    }),
    signal,
  )
  return findings.map(({ written: _secret, position: _position, ...finding }, index) => ({
    ...finding,
    at: finding.at ?? places[index],
  }))
}
