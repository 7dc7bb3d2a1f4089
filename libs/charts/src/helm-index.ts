import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'

/** A version of a chart in a repository. */
export interface ChartVersion {
  readonly version: string
  /** The SHA-256 of the archive, 64 hexadecimal digits; empty where the repository does not say. */
  readonly digest: string
  /** RFC 3339; empty where the repository does not say. */
  readonly created: string
  readonly description: string
  /** The addresses of the archive, absolute or relative to the index. */
  readonly urls: readonly string[]
}

const limits = { maxDepth: 50, maxNodes: 5_000_000 }

/**
 * The versions of a chart that an index lists, in its order. Entries without a version or a URL are left out.
 * @param file names the index in messages
 * @throws InvalidInputError for a text that is not an index, NotFoundError for a chart that it does not have
 */
export function chartVersions(text: string, chart: string, file: string): ChartVersion[] {
  const index = readIndex(text, file)
  const entries = isJsonObject(index) ? index['entries'] : undefined
  if (!isJsonObject(entries)) {
    throw new InvalidInputError('is not the index of a Helm repository: it has no entries', { at: { file } })
  }
  const listed = Object.hasOwn(entries, chart) ? entries[chart] : undefined
  if (!Array.isArray(listed)) {
    throw new NotFoundError(`${file} has no chart ${JSON.stringify(chart)}; correct chart or repoURL`)
  }
  return listed.flatMap(readVersion)
}

function readIndex(text: string, file: string): JsonValue | undefined {
  if (text.trimStart().startsWith('{')) {
    try {
      return JSON.parse(text) as JsonValue
    } catch {
      // YAML in flow style begins alike, and its reader says where it is wrong.
    }
  }
  return readYaml(text, file, limits).documents[0]?.value
}

function readVersion(entry: JsonValue): ChartVersion[] {
  if (!isJsonObject(entry)) return []
  const field = (name: string): string => {
    const value = entry[name]
    return typeof value === 'string' ? value : ''
  }
  const urls = Array.isArray(entry['urls']) ? entry['urls'].filter((url) => typeof url === 'string') : []
  const version = field('version')
  if (version === '' || urls.length === 0) return []
  const digest = field('digest')
    .replace(/^sha256:/, '')
    .toLowerCase()
  const created = new Date(field('created'))
  return [
    {
      version,
      digest: /^[0-9a-f]{64}$/.test(digest) ? digest : '',
      created: Number.isNaN(created.getTime()) ? '' : created.toISOString().replace(/\.\d+Z$/, 'Z'),
      description: field('description').slice(0, 1_000),
      urls,
    },
  ]
}
