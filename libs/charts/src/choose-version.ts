import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { newestVersion, parseVersion, parseVersionRange } from '@wadi/git/mirror/version-range.ts'
import type SemVer from 'semver/classes/semver.js'
import compareBuild from 'semver/functions/compare-build.js'
import eq from 'semver/functions/eq.js'
import parse from 'semver/functions/parse.js'

const maxNamed = 5

/** Returns whether a tag of a registry is a version for Helm, which reads tags strictly: three numbers, and no `v` before them. */
export function isStrictVersion(text: string): boolean {
  return /^\d/.test(text) && parse(text) !== null
}

/** True if a revision names one version, so that it keeps its meaning as long as the repository serves the same. */
export function isExactVersion(revision: string): boolean {
  return parseVersionRange(revision) === undefined
}

/**
 * The version that a revision means among those of a chart: the one of that text, the one of an equal version, or the newest of a
 * range.
 * @param place names the chart in messages
 * @throws NotFoundError that names the newest versions that there are, InvalidInputError for a revision that is neither version nor range
 */
export function chooseVersion(versions: readonly string[], revision: string, place: string): string {
  const wanted = parseVersion(revision)
  if (wanted && versions.includes(revision)) return revision
  const range = parseVersionRange(revision)
  if (range === undefined && wanted === undefined) {
    throw new InvalidInputError(
      `targetRevision ${JSON.stringify(revision.slice(0, 100))} of ${place} is neither a version nor a version range`,
    )
  }
  const isEqual = (version: SemVer) => wanted !== undefined && eq(version, wanted)
  const found = newestVersion(versions, range ?? isEqual)
  if (found !== undefined) return found
  const newest = versions
    .flatMap((text) => parseVersion(text)?.raw ?? [])
    .toSorted((a, b) => compareBuild(b, a))
    .slice(0, maxNamed)
  const there = newest.length === 0 ? 'it has none' : `the newest are ${newest.join(', ')}`
  throw new NotFoundError(`${place} has no version ${JSON.stringify(revision)}; ${there}`)
}
