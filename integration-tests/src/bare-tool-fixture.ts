import { dropEmptyAnnotations } from '@wadi/manifests/empty-annotations.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { sortManifests } from '@wadi/manifests/sort-manifests.ts'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { runProgram } from '@wadi/testing/run-program.ts'

/** The renderers as a person has them. */
const tools = await findTools({ cacheDirectory: toolCache })

/** Returns the output of the bare tool for a directory, as in `manifest.yaml`, and the number of its objects. */
export async function renderBare(
  tool: 'helm' | 'kustomize',
  args: readonly string[],
  cwd: string,
): Promise<{ text: string; count: number }> {
  const output = await runProgram([...tools[tool].command, ...args], { cwd, env: { HOME: cwd, PATH: '' } })
  return asManifestFile(output, tool)
}

/** YAML as `manifest.yaml` would hold it, and the number of its objects. */
export function asManifestFile(text: string, file: string): { text: string; count: number } {
  const manifests = parseManifests(text, { file })
  for (const manifest of manifests) dropEmptyAnnotations(manifest)
  return { text: emitManifests(sortManifests(manifests)), count: manifests.length }
}
