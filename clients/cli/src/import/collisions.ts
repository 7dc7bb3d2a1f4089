import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import { placedApplication, type PlacedApplication } from '@wadi/changes/applications/placed-application.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { cleanDestinationPath, foldedPath } from '@wadi/resources/application/destination-path.ts'
import { type FoundObject, keyOf, titleOf } from './found-objects.ts'
import type { ImportItem } from './import-item.ts'
import { asksFor, clusterOf, filledIn, type PlacementRule } from './placement-rule.ts'

/** A hydrated Application of an item. */
interface Placed {
  readonly item: ImportItem
  readonly manifest: Manifest
  readonly branch: string
  readonly path: string
  /** Equal for Applications that may share a directory. */
  readonly content: string
}

/**
 * Returns the items, with those staying whose Applications would write where others do, be they hydrated already, and those for
 * whose clusters the rule has one name.
 */
export function withoutCollisions(items: readonly ImportItem[], rule: PlacementRule): ImportItem[] {
  const reasons = new Map<ImportItem, Set<string>>()
  const refuse = (item: ImportItem, reason: string): void => {
    if (item.outcome === 'moves') reasons.getOrInsertComputed(item, () => new Set()).add(reason)
  }
  const placed = items.flatMap((item) => item.hydrated.flatMap((manifest) => placedOf(item, manifest)))
  for (const group of Map.groupBy(placed, ({ branch }) => branch).values()) refuseShared(group, refuse)
  if (asksFor(rule, 'destination')) refuseOneName(placed, refuse)
  return items.map((item) => {
    const found = reasons.get(item)
    if (!found) return item
    const { found: object, notes, hydrated } = item
    const field = ['metadata', 'name']
    return {
      found: object,
      outcome: 'stays',
      reasons: Array.from(found, (reason) => ({ reason, field })),
      notes,
      hydrated,
    }
  })
}

type Refuse = (item: ImportItem, reason: string) => void

function refuseShared(onBranch: readonly Placed[], refuse: Refuse): void {
  const paths = Map.groupBy(onBranch, ({ path }) => foldedPath(path))
  for (const [path, group] of paths) {
    const isShared = new Set(group.map(({ content }) => content)).size > 1
    for (const one of group) {
      const other = group.find((candidate) => candidate.content !== one.content)
      if (isShared && other)
        refuse(one.item, `${nameOf(other)} would get the same branch and path; ${anotherRule}`)
      if (path === '') refuseRoot(one, onBranch, refuse)
    }
  }
}

/** The root of a branch is for one alone: of those that move, the one at the root goes, or all beside one that is hydrated there. */
function refuseRoot(root: Placed, onBranch: readonly Placed[], refuse: Refuse): void {
  const beside = onBranch.filter(({ path }) => path !== '')
  const [first] = beside
  if (first)
    refuse(root.item, `it would get the root of a branch on which ${nameOf(first)} is; ${anotherRule}`)
  if (root.item.outcome === 'moves') return
  for (const { item } of beside) {
    refuse(item, `${nameOf(root)} has the root of its branch; use another branch`)
  }
}

const anotherRule = 'use a rule that tells them apart'

function refuseOneName(placed: readonly Placed[], refuse: Refuse): void {
  const destination = ({ manifest }: Placed): string =>
    filledIn('{{destination}}', manifest, '').toLowerCase()
  const moving = placed.filter(({ item }) => item.outcome === 'moves')
  for (const [name, group] of Map.groupBy(moving, destination)) {
    const clusters = [...new Set(group.map(({ manifest }) => clusterOf(manifest)))]
    if (clusters.length < 2) continue
    for (const { item } of group) {
      refuse(
        item,
        `{{destination}} is ${JSON.stringify(name)} for ${clusters.join(' and ')}; name the clusters by destination.name, or ${anotherRule}`,
      )
    }
  }
}

function placedOf(item: ImportItem, manifest: Manifest): Placed[] {
  const found = attemptPlace(manifest)
  if (!found) return []
  const { application, repoUrl, branch, path, sources } = found
  const content = JSON.stringify([sources, application.destination.namespace ?? ''])
  return [
    {
      item,
      manifest,
      branch: `${repositoryIdentity(repoUrl)} ${branch}`,
      path: cleanDestinationPath(path),
      content,
    },
  ]
}

/** Reads an object; undefined for one that is hydrated already and invalid, which stops none of those that move. */
function attemptPlace(manifest: Manifest): PlacedApplication | undefined {
  try {
    return placedApplication(manifest)
  } catch {
    return undefined
  }
}

function nameOf({ item: { found }, manifest }: Placed): string {
  return placedTitle(found, manifest)
}

/** Returns the kind, name and place of an Application that an object is or makes, for people. */
export function placedTitle(found: FoundObject, manifest: Manifest): string {
  const place = placeText(found)
  const at = place === undefined ? '' : ` (${place})`
  return keyOf(found.manifest) === keyOf(manifest)
    ? `${titleOf(manifest)}${at}`
    : `${titleOf(manifest)} of ${titleOf(found.manifest)}${at}`
}

/** Returns `file:line` of an object; undefined for one of a cluster. */
export function placeText({ origin }: FoundObject): string | undefined {
  return origin && `${origin.file}:${origin.place.line}`
}
