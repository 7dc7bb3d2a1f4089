import type { ManifestText, ReadManifests } from './manifests/manifest-job.ts'
import type { RenderContext } from './render-run.ts'

/** Reads the manifests of what tools have printed. */
export async function readFiles(
  files: readonly ManifestText[],
  {
    workers,
    limits,
    signal,
  }: Pick<RenderContext, 'workers' | 'limits'> & {
    readonly signal?: AbortSignal | undefined
  },
): Promise<ReadManifests> {
  const { toolOutputBytes: textBytes, manifestBytes } = limits
  return await workers.run({ files, jsonnet: undefined, textBytes, manifestBytes }, signal)
}
