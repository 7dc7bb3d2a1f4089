import { type OciContent, uploadContent } from './oci-content.ts'
import { type OciRepository, sha256Digest } from './oci-repository.ts'
import { type Publication, otherContent } from './publication.ts'

/** Returns a chart or an image with its tag. */
export function ociPublication(
  kind: string,
  repository: OciRepository,
  tag: string,
  content: OciContent,
): Publication {
  const title = `${kind} ${repository.name}:${tag}`
  return {
    title,
    isThere: async () => {
      const found = await repository.manifest(tag)
      if (found === undefined) return false
      const [there, own] = [found, content.manifest.bytes].map(sha256Digest)
      if (there !== own) throw otherContent(title, `${there}`, `${own}`)
      return true
    },
    upload: () => uploadContent(repository, content),
    announce: () => repository.putManifest(content.manifest, tag),
  }
}
