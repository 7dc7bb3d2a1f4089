import { byKey } from '@wadi/order/by-name.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { type Document, type Node, Scalar, isMap, isSeq, parseDocument, visit } from 'yaml'
import { type KustomizeImage, setImages } from '@wadi/engines/kustomize/kustomize-image.ts'
import { parentPath } from '@wadi/file-trees/repository-path.ts'
import { shellCommand, shellHeredoc, shellQuote } from '@wadi/programs/shell-quote.ts'
import type { KustomizeOptions } from './kustomize-option-schema.ts'
import { scalarText } from '../../source/scalar-text.ts'

/** A kustomization after the options of a source, and how a person gets there. */
export interface EditedKustomization {
  readonly text: string
  /** To be typed at the repository's root. */
  readonly commands: readonly string[]
}

/** Notes a `kustomize edit` command. */
type Edit = (...args: string[]) => void

type Patch = NonNullable<KustomizeOptions['patches']>[number]

/**
 * Changes a kustomization as the `kustomize edit` commands for these options do, in Argo CD's order.
 * @throws InvalidInputError where they would refuse, for example a label that exists and is not forced
 */
export function editKustomization(
  text: string,
  file: string,
  options: KustomizeOptions,
): EditedKustomization {
  const document: Document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent' })
  if (document.contents === null) document.contents = document.createNode({})
  if (!isMap(document.contents)) throw new InvalidInputError(`${file}:1: a kustomization must be an object`)
  if (Object.keys(options).length > 0) writeOutAliases(document)
  const commands: string[] = []
  const directory = parentPath(file)
  const record = (command: string): void => {
    commands.push(directory === '' ? command : `(cd ${shellQuote(`./${directory}`)} && ${command})`)
  }
  const edit: Edit = (...args) => record(shellCommand(['kustomize', 'edit', ...args]))
  for (const [field, verb] of [
    ['namePrefix', 'nameprefix'],
    ['nameSuffix', 'namesuffix'],
  ] as const) {
    const value = options[field]
    if (!value) continue
    document.set(field, quoted(document, value))
    edit('set', verb, '--', value)
  }
  editImages(document, options, edit)
  editReplicas(document, text, options, edit)
  editLabels(document, file, options, edit)
  editAnnotations(document, file, options, edit)
  if (options.namespace) {
    document.set('namespace', quoted(document, options.namespace))
    edit('set', 'namespace', '--', options.namespace)
  }
  for (const component of options.components ?? []) {
    if (listAt(document, 'components').includes(component)) continue
    append(document, 'components', component)
    edit('add', 'component', component)
  }
  for (const patch of options.patches ?? []) append(document, 'patches', patch)
  const edited = document.toString({ lineWidth: 0 })
  if (options.patches?.some((patch) => Object.keys(patch.options ?? {}).length > 0)) {
    // No command takes the options of a patch, so the file is written as a whole.
    return { text: edited, commands: [shellHeredoc(file, edited)] }
  }
  for (const patch of options.patches ?? []) edit('add', 'patch', ...patchFlags(patch))
  return { text: edited, commands }
}

/** Puts in the place of each alias what it repeats, so that a change in one place changes no other. */
function writeOutAliases(document: Document): void {
  visit(document, { Alias: (_, alias) => alias.resolve(document)?.clone() as Node | undefined })
  visit(document, {
    Node: (_, node) => {
      if ('anchor' in node) delete node.anchor
    },
  })
}

function editImages(document: Document, { images }: KustomizeOptions, edit: Edit): void {
  if (!images?.length) return
  const existing = [...plainList(document, 'images'), ...plainList(document, 'imageTags')].map(imageOf)
  document.delete('imageTags')
  document.set('images', quoted(document, setImages(existing, images)))
  edit('set', 'image', ...images)
}

function editReplicas(document: Document, text: string, { replicas }: KustomizeOptions, edit: Edit): void {
  if (!replicas?.length) return
  // A count is what Kustomize reads, to which 010 is 8.
  const { documents } = readYaml(text, 'kustomization')
  const [given] = documents
  const existing =
    isJsonObject(given?.value) && Array.isArray(given.value['replicas']) ? given.value['replicas'] : []
  const counts = new Map(
    existing
      .filter(isJsonObject)
      .map((item): [string, unknown] => [scalarText(item['name'] ?? ''), item['count']]),
  )
  for (const { name, count } of replicas) counts.set(name, Number(count))
  const sorted = [...counts].toSorted(byKey)
  const items = sorted.map(([name, count]) => ({ name, count }))
  document.set('replicas', quoted(document, items))
  edit('set', 'replicas', ...replicas.map(({ name, count }) => `${name}=${count}`))
}

function editAnnotations(document: Document, file: string, options: KustomizeOptions, edit: Edit): void {
  const annotations = sortedEntries(options.commonAnnotations)
  if (annotations.length === 0) return
  const force = options.forceCommonAnnotations === true
  setPairs(document, ['commonAnnotations'], annotations, { file, force, option: 'forceCommonAnnotations' })
  const pairs = annotations.map(([key, value]) => `${key}:${value}`)
  edit('add', 'annotation', ...(force ? ['--force'] : []), ...pairs)
}

function editLabels(document: Document, file: string, options: KustomizeOptions, edit: Edit): void {
  const labels = sortedEntries(options.commonLabels)
  if (labels.length === 0) return
  const force = options.forceCommonLabels === true
  const rule: PairRule = { file, force, option: 'forceCommonLabels' }
  const withoutSelector = options.labelWithoutSelector === true || options.labelIncludeTemplates === true
  const includeTemplates = options.labelIncludeTemplates === true
  if (withoutSelector) {
    const sets = plainList(document, 'labels')
    let index = sets.findIndex(
      (set) => set['includeSelectors'] !== true && (set['includeTemplates'] === true) === includeTemplates,
    )
    if (index < 0) {
      index = sets.length
      append(document, 'labels', includeTemplates ? { includeTemplates, pairs: {} } : { pairs: {} })
    }
    setPairs(document, ['labels', index, 'pairs'], labels, rule)
  } else setPairs(document, ['commonLabels'], labels, rule)
  const flags = [
    ...(force ? ['--force'] : []),
    ...(withoutSelector ? ['--without-selector'] : []),
    ...(includeTemplates ? ['--include-templates'] : []),
  ]
  edit('add', 'label', ...flags, ...labels.map(([key, value]) => `${key}:${value}`))
}

/** The treatment of a label or annotation that the kustomization has already. */
interface PairRule {
  readonly file: string
  /** True if it is replaced; otherwise it is an error that names the option to replace it. */
  readonly force: boolean
  readonly option: keyof KustomizeOptions
}

function setPairs(
  document: Document,
  path: readonly [field: string, ...(string | number)[]],
  pairs: ReadonlyArray<readonly [string, string]>,
  { file, force, option }: PairRule,
): void {
  for (const [key, value] of pairs) {
    if (!force && document.hasIn([...path, key])) {
      throw new InvalidInputError(
        `${file}: ${path[0]} has "${key}" already; remove it there or set ${option}`,
      )
    }
    if (!isMap(document.getIn(path))) document.setIn(path, document.createNode({}))
    document.setIn([...path, key], quoted(document, withoutQuotes(value)))
  }
}

/** `kustomize edit add` takes double quotes around a whole value away. */
function withoutQuotes(value: string): string {
  return /^".*"$/s.test(value) ? value.slice(1, -1) : value
}

function patchFlags(patch: Patch): string[] {
  const { group, version, kind, name, namespace, annotationSelector, labelSelector } = patch.target ?? {}
  return [
    ['--path', patch.path],
    ['--patch', patch.patch],
    ['--group', group],
    ['--version', version],
    ['--kind', kind],
    ['--name', name],
    ['--namespace', namespace],
    ['--annotation-selector', annotationSelector],
    ['--label-selector', labelSelector],
  ].flatMap(([flag, value]) => (flag && value ? [flag, value] : []))
}

/** Every text is quoted, as readers of YAML 1.1 take a plain `on` or `1_0` for something else. */
function quoted(document: Document, value: unknown): Node {
  const node = document.createNode(value, { aliasDuplicateObjects: false })
  visit(node, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string') scalar.type = Scalar.QUOTE_DOUBLE
    },
  })
  return node
}

function append(document: Document, field: string, value: unknown): void {
  const node = quoted(document, value)
  if (isSeq(document.get(field))) document.addIn([field], node)
  else document.set(field, document.createNode([node]))
}

function listAt(document: Document, field: string): unknown[] {
  const node = document.get(field)
  const value: unknown = isSeq(node) ? node.toJSON() : []
  return Array.isArray(value) ? value : []
}

function plainList(document: Document, field: string): Record<string, unknown>[] {
  return listAt(document, field).filter(isJsonObject)
}

/** Fields that are unknown, or of another type than Kustomize expects, stay for it to judge. */
function imageOf(item: Record<string, unknown>): KustomizeImage {
  return { ...item, name: scalarText(item['name'] ?? '') }
}

function sortedEntries(pairs: Readonly<Record<string, string>> = {}): [string, string][] {
  return Object.entries(pairs).toSorted(byKey)
}
