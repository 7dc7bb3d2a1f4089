import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { releaseFile, verifiedChecksums } from '../checksums.ts'
import { attestationsOf, readAttestations } from './attached.ts'
import { npmPublication } from './npm-publication.ts'
import { ociPublication } from './oci-publication.ts'
import { OciRepository } from './oci-repository.ts'
import type { Publication } from './publication.ts'
import { registryContents } from './registry-contents.ts'

/** The registries that get a release. */
interface Registries {
  readonly npm: URL
  /** The repositories of chart and image lie below it. */
  readonly oci: URL
}

/**
 * Publishes the files of a release that `SHA256SUMS` names: the npm packages, the chart, and the image if it is among them. What is published
 * already is passed over, so that a run that failed is continued by another one. A version is announced when all of it is uploaded, and what it
 * needs is announced.
 * @param report gets one line about each step
 */
export async function publishRelease(
  directory: string,
  version: string,
  registries: Registries,
  report: (line: string) => void,
): Promise<void> {
  const digests = await verifiedChecksums(directory)
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-image-'))
  const publications = await publicationsOf(directory, version, registries, digests, scratch.path)
  const missing = await missingOf(publications, report)
  try {
    for (const { title, upload } of missing) {
      if (upload === undefined) continue
      await upload()
      report(`uploaded: ${title}`)
    }
    for (const { title, announce } of missing) {
      await announce()
      report(`published: ${title}`)
    }
  } catch (error) {
    throw new Error(`${messageOf(error)}\nthe same command continues where this one ended`, { cause: error })
  }
}

/** Returns all publications, each before those that need it. */
async function publicationsOf(
  directory: string,
  version: string,
  { npm, oci }: Registries,
  digests: ReadonlyMap<string, string>,
  scratch: string,
): Promise<Publication[]> {
  const attestations = await readAttestations(directory)
  const ofNpm = (name: string): Publication =>
    npmPublication(releaseFile(directory, digests, `${name}-${version}.tgz`), name, version, npm)
  const contents = await registryContents(directory, version, digests, scratch)
  return [
    ofNpm('wadi-renderers'),
    ...contents.map(({ kind, repository, content }) =>
      ociPublication(
        kind,
        new OciRepository(new URL(repository, oci)),
        version,
        content,
        attestationsOf(content.manifest, attestations),
      ),
    ),
    ofNpm('wadi'),
  ]
}

/** @throws Error that names each publication which cannot be made */
async function missingOf(
  publications: readonly Publication[],
  report: (line: string) => void,
): Promise<Publication[]> {
  const missing: Publication[] = []
  const problems: string[] = []
  for (const publication of publications) {
    try {
      if (await publication.isThere()) report(`published before: ${publication.title}`)
      else missing.push(publication)
    } catch (error) {
      problems.push(messageOf(error))
    }
  }
  if (problems.length > 0) throw new Error(`${problems.join('\n')}\nnothing was published`)
  return missing
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
