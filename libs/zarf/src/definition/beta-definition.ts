import type { Located } from '@wadi/params/values/value.ts'
import { entriesOf, flagOf, itemsOf, locatedList, mapOfEntries, partOf, textOf } from './located-tree.ts'

/** Returns a package definition of v1beta1 in the form of v1alpha1. */
export function fromBeta(tree: Located): Located {
  const components = partOf(tree, 'components') ?? tree
  return changed(tree, {
    components: locatedList(itemsOf(components).map(component), components.at),
    metadata: renamed(partOf(tree, 'metadata'), { preventNamespaceOverride: undefined }),
  })
}

/** Returns the file of a component of v1beta1 as a package of v1alpha1 with that one component. */
export function fromBetaComponent(tree: Located): Located {
  const spec = partOf(tree, 'component') ?? tree
  const named = changed(spec, { name: partOf(tree, 'metadata', 'name') })
  return changed(tree, { component: undefined, components: locatedList([component(named)], spec.at) })
}

type Changes = Record<string, Located | undefined>

function changed(tree: Located, changes: Changes): Located {
  const kept = entriesOf(tree).filter(([key]) => !Object.hasOwn(changes, key))
  const added = Object.entries(changes).flatMap(([key, part]): [string, Located][] =>
    part === undefined ? [] : [[key, part]],
  )
  return mapOfEntries([...kept, ...added], tree.at)
}

/** Returns a map with other names for some keys, or without them. */
function renamed(tree: Located | undefined, names: Record<string, string | undefined>): Located | undefined {
  return tree === undefined
    ? undefined
    : mapOfEntries(
        entriesOf(tree).flatMap(([key, part]): [string, Located][] => {
          const name = Object.hasOwn(names, key) ? names[key] : key
          return name === undefined ? [] : [[name, part]]
        }),
        tree.at,
      )
}

function eachOf(list: Located | undefined, change: (item: Located) => Located): Located | undefined {
  return list === undefined ? undefined : locatedList(itemsOf(list).map(change), list.at)
}

function mapOfParts(tree: Located, parts: Changes): Located {
  return changed({ ...tree, value: new Map(), parts: new Map() }, parts)
}

function component(tree: Located): Located {
  const selector = partOf(tree, 'selector') ?? tree
  const isOptional = flagOf(tree, 'optional')
  return changed(tree, {
    optional: undefined,
    target: undefined,
    selector: undefined,
    repositories: undefined,
    required: { value: !isOptional, at: partOf(tree, 'optional')?.at ?? tree.at },
    only: mapOfParts(selector, {
      localOS: partOf(tree, 'target', 'os'),
      flavor: partOf(tree, 'selector', 'flavor'),
      cluster: mapOfParts(selector, { architecture: partOf(tree, 'selector', 'architecture') }),
    }),
    manifests: eachOf(partOf(tree, 'manifests'), manifest),
    charts: eachOf(partOf(tree, 'charts'), chart),
    files: eachOf(
      partOf(tree, 'files'),
      (file) =>
        renamed(file, { destination: 'target', checksum: 'shasum', enableTemplating: 'template' }) ?? file,
    ),
    images: eachOf(partOf(tree, 'images'), (image) => partOf(image, 'name') ?? image),
    repos: eachOf(partOf(tree, 'repositories'), (repository) => partOf(repository, 'url') ?? repository),
    actions: actions(partOf(tree, 'actions')),
  })
}

function manifest(tree: Located): Located {
  return changed(renamed(tree, { skipWait: 'noWait', enableTemplating: 'template' }) ?? tree, {
    kustomize: undefined,
    kustomizations: partOf(tree, 'kustomize', 'files'),
    kustomizeAllowAnyDirectory: partOf(tree, 'kustomize', 'allowAnyDirectory'),
    enableKustomizePlugins: partOf(tree, 'kustomize', 'enablePlugins'),
  })
}

function chart(tree: Located): Located {
  const valuesFiles = partOf(tree, 'valuesFiles')
  const pathsOf = (isTemplated: boolean): Located | undefined =>
    valuesFiles === undefined
      ? undefined
      : locatedList(
          itemsOf(valuesFiles)
            .filter((file) => flagOf(file, 'enableTemplating') === isTemplated)
            .map((file) => partOf(file, 'path') ?? file),
          valuesFiles.at,
        )
  const skipping = partOf(tree, 'skipSchemaValidation')
  const git = partOf(tree, 'git', 'ref')
  const reference = entriesOf(git ?? partOf(tree, 'oci', 'ref'))[0]?.[1]
  return changed(renamed(tree, { skipWait: 'noWait' }) ?? tree, {
    helmRepository: undefined,
    git: undefined,
    oci: undefined,
    local: undefined,
    skipSchemaValidation: undefined,
    localPath: partOf(tree, 'local', 'path'),
    url: partOf(tree, 'helmRepository', 'url') ?? partOf(tree, 'git', 'url') ?? partOf(tree, 'oci', 'url'),
    version: partOf(tree, 'helmRepository', 'version') ?? reference,
    repoName: partOf(tree, 'helmRepository', 'name'),
    gitPath: partOf(tree, 'git', 'path'),
    valuesFiles: pathsOf(false),
    templatedValuesFiles: pathsOf(true),
    schemaValidation: skipping === undefined ? undefined : { ...skipping, value: skipping.value !== true },
  })
}

function actions(tree: Located | undefined): Located | undefined {
  const action = (item: Located): Located =>
    renamed(item, { silent: 'mute', retries: 'maxRetries', enableTemplating: 'template' }) ?? item
  return tree === undefined
    ? undefined
    : mapOfEntries(
        entriesOf(tree).map(([stage, set]) => [
          stage,
          mapOfEntries(
            entriesOf(set).map(([when, list]) => [
              when,
              when === 'defaults' ? action(list) : (eachOf(list, action) ?? list),
            ]),
            set.at,
          ),
        ]),
        tree.at,
      )
}

/** True if a chart, in the form of v1alpha1, names its source. */
export function hasSource(chartTree: Located): boolean {
  return textOf(chartTree, 'localPath') !== '' || textOf(chartTree, 'url') !== ''
}
