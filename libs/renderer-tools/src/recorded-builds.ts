import type { Tool, Tools } from './find-tools.ts'
import type { OtherVersion } from './other-versions.ts'

/**
 * Returns the tools with other builds of their versions in their place, where these have the digests and they do not.
 * @param digests SHA-256 of programs in hex, by the names of the tools
 * @throws InvalidInputError for another build that cannot be used, with the reason; what downloads throw
 */
export async function withRecordedBuilds<Some extends Tools>(
  tools: Some,
  digests: Readonly<Record<string, string>>,
): Promise<Some> {
  const helm = await recordedBuild(tools.helm, tools.builds?.helm, digests['helm'])
  const kustomize = await recordedBuild(tools.kustomize, tools.builds?.kustomize, digests['kustomize'])
  return { ...tools, helm, kustomize }
}

async function recordedBuild<Found extends Tool>(
  own: Found,
  other: OtherVersion<Found> | undefined,
  sha256 = '',
): Promise<Found> {
  if (sha256 === '' || own.program?.sha256 === sha256 || !other?.isThere) return own
  const build = await other.open()
  return build.version === own.version && build.program?.sha256 === sha256 ? build : own
}
