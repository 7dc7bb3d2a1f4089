import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { hasSource } from './beta-definition.ts'
import {
  entriesOf,
  flagOf,
  itemsOf,
  joinLists,
  locatedList,
  partOf,
  textOf,
  withParts,
} from './located-tree.ts'

type Version = 'v1alpha1' | 'v1beta1'
type Change = readonly [string, Located | undefined]

/** Lists of a component to which the importing component adds its own. */
const joined = ['dataInjections', 'files', 'images', 'imageArchives', 'repos', 'healthChecks']

/**
 * Returns an imported component with what the importing one says about it. Charts and manifests of the same name become
 * one.
 *
 * @throws InvalidInputError when both limit the component to an operating system.
 */
export function composeComponents(imported: Located, own: Located, version: Version): Located {
  return withParts(imported, [
    ['import', undefined],
    ['name', partOf(own, 'name')],
    ['default', partOf(own, 'default')],
    ['required', partOf(own, 'required')],
    ['group', partOf(own, 'group')],
    ['description', filled(own, 'description') ?? partOf(imported, 'description')],
    ['only', only(imported, own, version)],
    ...joined.map((key): Change => [key, joinLists(partOf(imported, key), partOf(own, key))]),
    [
      'stateAccess',
      version === 'v1beta1'
        ? joinLists(partOf(imported, 'stateAccess'), partOf(own, 'stateAccess'))
        : partOf(imported, 'stateAccess'),
    ],
    ['actions', actions(partOf(imported, 'actions'), partOf(own, 'actions'))],
    ['charts', byName(imported, own, 'charts', (base, head) => chart(base, head, version))],
    ['manifests', byName(imported, own, 'manifests', (base, head) => manifest(base, head, version))],
    ...entriesOf(own).filter(([key]) => key.startsWith('x-')),
  ])
}

/** Returns a text field unless it is missing or empty. */
function filled(map: Located, ...keys: string[]): Located | undefined {
  return textOf(map, ...keys) === '' ? undefined : partOf(map, ...keys)
}

function only(imported: Located, own: Located, version: Version): Located {
  const system = filled(own, 'only', 'localOS')
  const before = filled(imported, 'only', 'localOS')
  if (system !== undefined && before !== undefined && version === 'v1alpha1') {
    throw new InvalidInputError(
      `component "${textOf(own, 'name')}": "only.localOS" "${textOf(before)}" cannot be ` +
        `redefined as "${textOf(system)}" during compose`,
      { at: system.at },
    )
  }
  const architecture = filled(own, 'only', 'cluster', 'architecture')
  const base = partOf(imported, 'only') ?? { value: new Map(), at: own.at }
  const cluster = partOf(base, 'cluster') ?? { value: new Map(), at: own.at }
  return withParts(base, [
    ['flavor', filled(own, 'only', 'flavor') ?? partOf(base, 'flavor')],
    ['localOS', system ?? partOf(base, 'localOS')],
    [
      'cluster',
      architecture === undefined || version === 'v1alpha1'
        ? partOf(base, 'cluster')
        : withParts(cluster, [['architecture', architecture]]),
    ],
  ])
}

function actions(imported: Located | undefined, own: Located | undefined): Located | undefined {
  if (imported === undefined || own === undefined) {
    return imported ?? own
  }
  return withParts(
    imported,
    ['onCreate', 'onDeploy', 'onRemove'].map((stage): Change => {
      const base = partOf(imported, stage)
      const head = partOf(own, stage)
      if (base === undefined || head === undefined) {
        return [stage, base ?? head]
      }
      const lists = ['before', 'after', 'onSuccess', 'onFailure']
      return [
        stage,
        withParts(base, [
          ['defaults', partOf(head, 'defaults') ?? partOf(base, 'defaults')],
          ...lists.map((list): Change => [list, joinLists(partOf(base, list), partOf(head, list))]),
        ]),
      ]
    }),
  )
}

function byName(
  imported: Located,
  own: Located,
  key: string,
  merge: (base: Located, head: Located) => Located,
): Located | undefined {
  const base = partOf(imported, key)
  const head = partOf(own, key)
  if (base === undefined || head === undefined) {
    return base ?? head
  }
  const items = itemsOf(base)
  for (const item of itemsOf(head)) {
    const index = items.findIndex((each) => textOf(each, 'name') === textOf(item, 'name'))
    const found = items[index]
    if (found === undefined) {
      items.push(item)
    } else {
      items[index] = merge(found, item)
    }
  }
  return locatedList(items, base.at)
}

function chart(base: Located, head: Located, version: Version): Located {
  const replaced = version === 'v1beta1' && hasSource(head)
  const source = ['localPath', 'url', 'version', 'repoName', 'gitPath']
  const texts = [
    'namespace',
    'releaseName',
    ...(version === 'v1beta1' ? ['serverSideApply'] : ['version', 'url']),
  ]
  const lists = ['valuesFiles', 'templatedValuesFiles', 'variables', 'values']
  return withParts(base, [
    ...(replaced ? source.map((key): Change => [key, partOf(head, key)]) : []),
    ...texts.map((key): Change => [
      key,
      filled(head, key) ?? (replaced && source.includes(key) ? undefined : partOf(base, key)),
    ]),
    ...lists.map((key): Change => [key, joinLists(partOf(base, key), partOf(head, key))]),
    ...(version === 'v1beta1' ? laterFlags(base, head, ['noWait', 'schemaValidation']) : []),
  ])
}

function manifest(base: Located, head: Located, version: Version): Located {
  return withParts(base, [
    ['namespace', filled(head, 'namespace') ?? partOf(base, 'namespace')],
    ['files', joinLists(partOf(base, 'files'), partOf(head, 'files'))],
    ['kustomizations', joinLists(partOf(base, 'kustomizations'), partOf(head, 'kustomizations'))],
    ...(version === 'v1beta1'
      ? laterFlags(base, head, ['noWait', 'template', 'kustomizeAllowAnyDirectory', 'enableKustomizePlugins'])
      : []),
  ])
}

/** Flags of v1beta1 can be raised by the importing component and not lowered. */
function laterFlags(base: Located, head: Located, keys: readonly string[]): Change[] {
  return keys.map((key): Change => {
    const raised = key === 'schemaValidation' ? partOf(head, key)?.value === false : flagOf(head, key)
    return [key, raised ? partOf(head, key) : partOf(base, key)]
  })
}
