import { readRepositorySettings } from '@wadi/rendering/source/repository-settings.ts'
import { settingsFile } from '@wadi/rendering/source/repository-settings.ts'
import type { TracingTree } from '@wadi/file-trees/tracing-tree.ts'
import { type Finding, findingsOf } from '@wadi/zarf/lint/finding.ts'

/** Returns what is wrong with the `wadi.yaml` at the root of a repository, if there is one. */
export async function settingsFindings(trace: TracingTree): Promise<Finding[]> {
  try {
    await readRepositorySettings(trace)
    return []
  } catch (cause) {
    return [...findingsOf(cause, { file: settingsFile })]
  }
}
