import { attach, isAttached } from './attached.ts'
import { type OciContent, uploadContent } from './oci-content.ts'
import { type OciRepository, sha256Digest } from './oci-repository.ts'
import { type Publication, otherContent } from './publication.ts'

/** Returns a chart or an image with its tag, and the attestations beside it. */
export function ociPublication(
  kind: string,
  repository: OciRepository,
  tag: string,
  content: OciContent,
  attestations: readonly OciContent[],
): Publication {
  const title = `${kind} ${repository.name}:${tag}`
  return {
    title,
    isThere: async () => {
      const found = await repository.manifest(tag)
      if (found === undefined) return false
      const [there, own] = [found, content.manifest.bytes].map(sha256Digest)
      if (there !== own) throw otherContent(title, `${there}`, `${own}`)
      for (const each of attestations) {
        if (!(await isAttached(repository, content.manifest, each))) return false
      }
      return true
    },
    upload: async () => {
      await uploadContent(repository, content)
      for (const each of attestations) await attach(repository, content.manifest, each)
    },
    announce: () => repository.putManifest(content.manifest, tag),
  }
}
