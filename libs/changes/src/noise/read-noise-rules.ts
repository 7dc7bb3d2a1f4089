import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { nearestName } from '@wadi/errors/nearest-name.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import { locatedFields } from '@wadi/params/values/located-fields.ts'
import { partOf } from '@wadi/params/values/located.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import { compileArgoGlob } from '@wadi/patterns/argo-glob.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'
import type { NoiseRule } from './noise-rules.ts'

const maxRules = 100
const maxPatterns = 100
const maxSegments = 50

/** Kinds whose objects change with every release. */
const commonKinds = (
  'ConfigMap CronJob CustomResourceDefinition DaemonSet Deployment Ingress Job Namespace Pod Role Secret Service ' +
  'ServiceAccount StatefulSet'
).split(' ')

const selectors = ['group', 'kind', 'namespace', 'name'] as const
const ignored = ['labels', 'annotations', 'jsonPointers'] as const

/**
 * Reads `diff.ignore` of a repository's `wadi.yaml`: what of which objects is not compared. Other keys of the file are not
 * looked at, as they are not about differences.
 *
 * @throws InvalidInputError with the place of an unknown key or a wrong value, and above 100 rules or 100 patterns in one
 */
export function readNoiseRules(content: Uint8Array, file: string): NoiseRule[] {
  const document = readLocatedYaml(fileText(content, file), file, { rules: 'kubernetes' })
  const fields = locatedFields()
  const diff = fields.object(document, 'diff', '')
  if (diff === undefined) return []
  fields.known(diff, ['ignore'], 'diff.')
  const rules = fields.objects(diff, 'ignore', 'diff.')
  if (rules.length > maxRules) {
    throw new InvalidInputError(`${rules.length} rules; at most ${maxRules} are accepted`, {
      at: diff.at,
      path: 'diff.ignore',
    })
  }
  return rules.map(({ item, path }) => readRule(item, path))
}

function readRule(rule: Located, path: string): NoiseRule {
  const fields = locatedFields()
  const at = `${path}.`
  fields.known(rule, [...selectors, ...ignored], at)
  const glob = (text: string, field: string): Matcher => compile(text, rule, `${at}${field}`)
  const selector = (field: (typeof selectors)[number]): Matcher | undefined => {
    const text = fields.string(rule, field, at)
    return text === undefined ? undefined : glob(text, field)
  }
  const patterns = (field: (typeof ignored)[number]): string[] => {
    const texts = fields.strings(rule, field, at)
    if (texts.length <= maxPatterns) return texts
    throw invalid(rule, `${at}${field}`, `has more than ${maxPatterns} items`)
  }
  const read = {
    group: selector('group'),
    kind: kindOf(rule, `${at}kind`, selector('kind')),
    namespace: selector('namespace'),
    name: selector('name'),
    labels: patterns('labels').map((text) => glob(text, 'labels')),
    annotations: patterns('annotations').map((text) => glob(text, 'annotations')),
    pointers: patterns('jsonPointers').map((text) => readPointer(text, rule, `${at}jsonPointers`)),
  }
  if (read.labels.length + read.annotations.length + read.pointers.length > 0) return read
  throw invalid(rule, path, `ignores nothing; give it ${ignored.join(', ')}`)
}

/** @throws InvalidInputError for a word in small letters, which is the kind of no object */
function kindOf(rule: Located, path: string, matcher: Matcher | undefined): Matcher | undefined {
  const written = partOf(rule, 'kind')
  if (typeof written?.value !== 'string' || !/^[a-z][A-Za-z]*$/.test(written.value)) return matcher
  const nearest = nearestName(written.value, commonKinds)
  const advice = nearest === undefined ? '' : `; did you mean ${nearest}?`
  throw invalid(
    written,
    path,
    `must begin with a capital letter as kinds do, not "${written.value}"${advice}`,
  )
}

function compile(pattern: string, rule: Located, path: string): Matcher {
  try {
    return compileArgoGlob(pattern)
  } catch (error) {
    throw invalid(rule, path, `has an invalid pattern: ${errorMessage(error)}`)
  }
}

function readPointer(text: string, rule: Located, path: string): string[] {
  const segments = text.split('/').slice(1)
  if (!text.startsWith('/') || segments.includes('')) {
    throw invalid(
      rule,
      path,
      `must have JSON pointers such as /spec/replicas, not ${JSON.stringify(text.slice(0, 200))}`,
    )
  }
  if (segments.length > maxSegments)
    throw invalid(rule, path, `has a pointer with more than ${maxSegments} segments`)
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function invalid({ at }: Located, path: string, reason: string): InvalidInputError {
  return new InvalidInputError(`${path} ${reason}`, { at, path })
}
