import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checksumFile, checksums } from '../checksums.ts'
import { npmPublication } from './npm-publication.ts'
import { chartContent, imageContent } from './oci-content.ts'
import { ociPublication } from './oci-publication.ts'
import { OciRepository } from './oci-repository.ts'
import type { Publication } from './publication.ts'

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
  const names = await verifiedNames(directory)
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-image-'))
  const publications = await publicationsOf(directory, version, registries, names, scratch.path)
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

/** Returns the names in `SHA256SUMS`, whose files must have these digests. */
async function verifiedNames(directory: string): Promise<ReadonlySet<string>> {
  const text = await readFile(path.join(directory, checksumFile), 'utf8')
  const digests = await checksums(directory)
  const names = new Set<string>()
  for (const [, digest, name = ''] of text.matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm)) {
    if (digests.get(name) !== digest) throw new Error(`${name} is not what ${checksumFile} says`)
    names.add(name)
  }
  return names
}

/** Returns all publications, each before those that need it. */
async function publicationsOf(
  directory: string,
  version: string,
  { npm, oci }: Registries,
  names: ReadonlySet<string>,
  scratch: string,
): Promise<Publication[]> {
  const file = (name: string): string => {
    if (!names.has(name)) throw new Error(`${checksumFile} does not name ${name}`)
    return path.join(directory, name)
  }
  const repository = (name: string) => new OciRepository(new URL(name, oci))
  const image = `wadi-image-${version}.tar`
  const chart = await chartContent(file(`wadi-chart-${version}.tgz`))
  return [
    npmPublication(file(`wadi-renderers-${version}.tgz`), 'wadi-renderers', version, npm),
    ...(names.has(image)
      ? [ociPublication('image', repository('wadi'), version, await imageContent(file(image), scratch))]
      : []),
    ociPublication('chart', repository('charts/wadi'), version, chart),
    npmPublication(file(`wadi-${version}.tgz`), 'wadi', version, npm),
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
