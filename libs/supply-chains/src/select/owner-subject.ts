import { partAt } from '@wadi/params/values/located.ts'
import type { Value } from '@wadi/params/values/value.ts'
import type { StampOwner } from '../read/cartographer-objects.ts'
import type { PathSubject } from '../paths/json-path.ts'

type UnsetFields = readonly [path: readonly string[], fields: readonly [name: string, holds: Value][]]

const inBoth: readonly UnsetFields[] = [
  [
    ['metadata'],
    [
      ['name', ''],
      ['generateName', ''],
      ['namespace', ''],
      ['labels', null],
      ['annotations', null],
    ],
  ],
  [
    ['spec'],
    [
      ['params', null],
      ['source', null],
      ['serviceAccountName', ''],
    ],
  ],
  [
    ['spec', 'source'],
    [
      ['git', null],
      ['image', null],
      ['subPath', null],
    ],
  ],
  [
    ['spec', 'source', 'git'],
    [
      ['url', null],
      ['ref', null],
    ],
  ],
  [
    ['spec', 'source', 'git', 'ref'],
    [
      ['branch', null],
      ['tag', null],
      ['commit', null],
    ],
  ],
]

/** Stands for the `build` of a workload that has none. */
const noBuild: Value = new Map()

const inWorkloads: readonly UnsetFields[] = [
  [
    ['spec'],
    [
      ['build', noBuild],
      ['env', null],
      ['image', null],
      ['resources', null],
      ['serviceClaims', null],
    ],
  ],
  [['spec', 'build'], [['env', null]]],
]

/**
 * Returns the fields of an owner that paths find although nobody wrote them. Cartographer's objects are typed: a field
 * that is not set is null, or an empty text or map where the type has no null.
 */
export function unsetFields(owner: StampOwner): PathSubject['unset'] {
  const unset = new Map<Value, Map<string, Value>>([[noBuild, new Map([['env', null]])]])
  for (const [path, fields] of owner.kind === 'Workload' ? [...inBoth, ...inWorkloads] : inBoth) {
    const part = partAt(owner.located, path)
    if (part === undefined) continue
    const known = unset.get(part.value) ?? new Map<string, Value>()
    for (const [name, holds] of fields) known.set(name, holds)
    unset.set(part.value, known)
  }
  return unset
}

/** Returns an owner for paths that begin in it, as those of selectors do. */
export function ownerSubject(owner: StampOwner): PathSubject {
  return { root: owner.located, unset: unsetFields(owner), withheld: new Map(), lists: new Map() }
}
