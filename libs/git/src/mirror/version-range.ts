import Range from 'semver/classes/range.js'
import type SemVer from 'semver/classes/semver.js'
import compareBuild from 'semver/functions/compare-build.js'
import parse from 'semver/functions/parse.js'
import validRange from 'semver/ranges/valid.js'

/** True for the versions in a range. */
export type VersionRange = (version: SemVer) => boolean

/** Longer texts take npm's reader long. */
const maxRangeLength = 512

/**
 * Reads a range of versions as Masterminds/semver does, which Argo CD and Helm use; undefined for a text that is none.
 * What differs from npm's ranges: a comma separates conditions, `!=` excludes, `=>` and `=<` are accepted, and prereleases
 * take part in a group of conditions when one of them names a prerelease, whatever version that is of.
 */
export function parseVersionRange(text: string): VersionRange | undefined {
  if (text.length > maxRangeLength || !/[*^~<>=!|,\s]|(?:^|\.)[xX](?:\.|$)/.test(text)) return undefined
  const groups = text.split('||').map(parseGroup)
  const known = groups.filter((group) => group !== undefined)
  if (known.length < groups.length) return undefined
  return (version) => known.some((group) => group(version))
}

/** Conditions that all must hold. */
function parseGroup(text: string): VersionRange | undefined {
  const exclusions: Range[] = []
  const conditions = text
    .replaceAll(',', ' ')
    .replaceAll(/(?<!\S)[*xX]-[0-9A-Za-z.-]+(?!\S)/g, '>=0.0.0-0')
    .replaceAll(/([<>=!~^])\s+/g, '$1')
    .replaceAll('=>', '>=')
    .replaceAll('=<', '<=')
    .replaceAll(/!=(\S+)/g, (_, excluded: string) => {
      if (validRange(excluded) !== null) {
        exclusions.push(new Range(excluded, { includePrerelease: true }))
      }
      return validRange(excluded) === null ? '!' : ' '
    })
  if (validRange(conditions) === null) return undefined
  const includePrerelease = /[\dxX*]-[0-9A-Za-z]/.test(text)
  const range = new Range(conditions, { includePrerelease })
  return (version) =>
    (includePrerelease || version.prerelease.length === 0) &&
    range.test(version) &&
    !exclusions.some((excluded) => excluded.test(version))
}

/** Reads `v1.2.3`, `1.2.3` and the short `v1.2` or `1`, which stand for `.0`; undefined for another text. */
export function parseVersion(text: string): SemVer | undefined {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?((?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)$/.exec(text)
  if (match === null) return undefined
  const [, major = '0', minor = '0', patch = '0', suffix = ''] = match
  return parse(`${major}.${minor}.${patch}${suffix}`) ?? undefined
}

/**
 * The newest of some versions that a range accepts; of equal ones that with the greatest build metadata. Texts that are no versions are
 * passed over.
 */
export function newestVersion(texts: Iterable<string>, range: VersionRange): string | undefined {
  let newest: { version: SemVer; text: string } | undefined
  for (const text of texts) {
    const version = parseVersion(text)
    if (version === undefined || !range(version)) continue
    if (newest === undefined || compareBuild(version, newest.version) > 0) newest = { version, text }
  }
  return newest?.text
}
