import { unknownField } from '@wadi/fields/field-findings.ts'
import type { FieldReader } from '@wadi/fields/field-reader.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import {
  absentForge,
  absentForges,
  filterFields,
  forgeFields,
  referenceFields,
} from './forges/forge-fields.ts'

type Fields = Record<string, unknown>

const known = {
  object: words('apiVersion kind metadata spec status'),
  spec: words(
    'goTemplate goTemplateOptions generators template templatePatch syncPolicy strategy preservedFields ' +
      'ignoreApplicationDifferences applyNestedSelectors',
  ),
  syncPolicy: words('preserveResourcesOnDeletion applicationsSync'),
  strategy: words('type rollingSync deletionOrder'),
  preservedFields: words('annotations labels'),
  ignoredDifference: words('name jsonPointers jqPathExpressions'),
  template: words('metadata spec'),
  templateMetadata: words('name namespace labels annotations finalizers'),
  selector: words('matchLabels matchExpressions'),
  requirement: words('key operator values'),
  pathPattern: words('path exclude'),
  pluginConfigMap: words('name'),
  pluginInput: words('parameters'),
}

const knownOfGenerator = new Map([
  ['list', words('elements elementsYaml template')],
  ['clusters', words('selector values flatList template')],
  ['git', words('repoURL revision directories files pathParamPrefix values requeueAfterSeconds template')],
  ['clusterDecisionResource', words('configMapRef name labelSelector values requeueAfterSeconds template')],
  ['scmProvider', words('github gitlab gitea filters cloneProtocol values requeueAfterSeconds template')],
  [
    'pullRequest',
    words('github gitlab gitea filters values continueOnRepoNotFoundError requeueAfterSeconds template'),
  ],
  ['matrix', words('generators template')],
  ['merge', words('generators mergeKeys template')],
  ['plugin', words('configMapRef input values requeueAfterSeconds template')],
])

/**
 * Notes every field of an ApplicationSet that does not exist, and every generator and provider that is not supported, by
 * name. What is free is left out: `elements`, `values` and the `spec` of the template.
 */
export function checkKnownFields(reader: FieldReader, resource: Fields): void {
  const check = new FieldCheck(reader)
  check.map(resource, '', known.object)
  const spec = isJsonObject(resource['spec']) ? resource['spec'] : {}
  check.map(spec, 'spec', known.spec)
  check.map(spec['syncPolicy'], 'spec.syncPolicy', known.syncPolicy)
  check.map(spec['strategy'], 'spec.strategy', known.strategy)
  check.map(spec['preservedFields'], 'spec.preservedFields', known.preservedFields)
  check.items(spec['ignoreApplicationDifferences'], 'spec.ignoreApplicationDifferences', (item, at) =>
    check.map(item, at, known.ignoredDifference),
  )
  check.template(spec['template'], 'spec.template')
  check.items(spec['generators'], 'spec.generators', (item, at) => check.generator(item, at))
}

class FieldCheck {
  readonly #reader: FieldReader

  constructor(reader: FieldReader) {
    this.#reader = reader
  }

  map(value: unknown, at: string, fields: readonly string[]): void {
    if (!isJsonObject(value)) return
    this.#reader.known(value, fields, at === '' ? '' : `${at}.`)
  }

  items(value: unknown, at: string, checkItem: (item: unknown, at: string) => void): void {
    if (!Array.isArray(value)) return
    for (const [index, item] of value.entries()) checkItem(item, `${at}[${index}]`)
  }

  template(value: unknown, at: string): void {
    this.map(value, at, known.template)
    if (isJsonObject(value)) this.map(value['metadata'], `${at}.metadata`, known.templateMetadata)
  }

  selector(value: unknown, at: string): void {
    this.map(value, at, known.selector)
    if (!isJsonObject(value)) return
    this.items(value['matchExpressions'], `${at}.matchExpressions`, (item, place) =>
      this.map(item, place, known.requirement),
    )
  }

  generator(value: unknown, at: string): void {
    if (!isJsonObject(value)) return
    for (const [kind, fields] of Object.entries(value)) {
      const path = `${at}.${kind}`
      if (kind === 'selector') this.selector(fields, path)
      else if (knownOfGenerator.has(kind)) {
        const supported = forgeFields.has(kind) ? this.#forges(fields, path, kind) : fields
        this.#kind(supported, path, knownOfGenerator.get(kind) ?? [])
      } else if (fields !== null) this.#unknownKind(kind, path)
    }
  }

  #kind(fields: unknown, at: string, knownFields: readonly string[]): void {
    this.map(fields, at, knownFields)
    if (!isJsonObject(fields)) return
    this.template(fields['template'], `${at}.template`)
    this.selector(fields['selector'], `${at}.selector`)
    this.selector(fields['labelSelector'], `${at}.labelSelector`)
    this.map(fields['configMapRef'], `${at}.configMapRef`, known.pluginConfigMap)
    this.map(fields['input'], `${at}.input`, known.pluginInput)
    for (const list of ['directories', 'files']) {
      this.items(fields[list], `${at}.${list}`, (item, place) => this.map(item, place, known.pathPattern))
    }
    this.items(fields['generators'], `${at}.generators`, (item, place) => this.generator(item, place))
  }

  /** The fields without those of providers that are not supported, which are noted here. */
  #forges(fields: unknown, at: string, kind: string): unknown {
    if (!isJsonObject(fields)) return fields
    for (const [forge, names] of forgeFields.get(kind) ?? []) {
      const options = fields[forge]
      this.map(options, `${at}.${forge}`, names)
      if (!isJsonObject(options)) continue
      for (const [field, parts] of referenceFields) this.map(options[field], `${at}.${forge}.${field}`, parts)
    }
    this.items(fields['filters'], `${at}.filters`, (item, place) =>
      this.map(item, place, filterFields.get(kind) ?? []),
    )
    const supported = Object.entries(fields).filter(([name]) => !absentForges.includes(name))
    for (const name of absentForges) {
      if ((fields[name] ?? null) !== null) this.#reader.report(`${at}: ${absentForge(name)}`)
    }
    return Object.fromEntries(supported)
  }

  #unknownKind(kind: string, at: string): void {
    this.#reader.report(unknownField(at, kind, [...knownOfGenerator.keys()]))
  }
}

function words(text: string): string[] {
  return text.split(' ')
}
