import path from 'node:path'
import { releaseFile } from '../checksums.ts'
import { type OciContent, chartContent, imageContent } from './oci-content.ts'

/** The content of a release in an OCI registry. */
interface RegistryContent {
  readonly kind: 'chart' | 'image'
  /** The name of its repository below that of the registry. */
  readonly repository: string
  readonly content: OciContent
}

/**
 * Returns the image, if the release has it, and the chart, which needs the image.
 * @param scratch an empty directory, in which layers stay until they are uploaded
 */
export async function registryContents(
  directory: string,
  version: string,
  digests: ReadonlyMap<string, string>,
  scratch: string,
): Promise<RegistryContent[]> {
  const chart = await chartContent(releaseFile(directory, digests, `wadi-chart-${version}.tgz`))
  const image = `wadi-image-${version}.tar`
  return [
    ...(digests.has(image)
      ? [
          {
            kind: 'image',
            repository: 'wadi',
            content: await imageContent(path.join(directory, image), scratch),
          } as const,
        ]
      : []),
    { kind: 'chart', repository: 'charts/wadi', content: chart },
  ]
}
