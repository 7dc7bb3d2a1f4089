import type { FileTree } from '../tree/file-tree.ts'
import { isPackage } from '../package/package-plan.ts'
import { detectTool } from '../tool-choice.ts'
import { TracingTree } from '../tree/tracing-tree.ts'
import { isWorkload } from '../workload/workload-files.ts'

/** Whether a directory is that of a package or of workloads, the sources that take values to try out. */
export async function takesTrialValues(tree: FileTree, path: string): Promise<boolean> {
  if (await isPackage(tree, path)) return true
  return (await detectTool(tree, path)) === 'directory' && (await isWorkload(new TracingTree(tree), path))
}
