import { someInLine } from '@wadi/errors/some-of.ts'
import { isValueMap } from '@wadi/params/values/value.ts'
import { partAt } from '@wadi/params/values/located.ts'
import { blueprintWord } from '../read/cartographer-objects.ts'
import type { Blueprint, BlueprintResource, StampOwner } from '../read/cartographer-objects.ts'
import { placeOf } from '../findings.ts'
import type { PathSubject } from '../paths/json-path.ts'
import { readPath } from '../paths/path-steps.ts'
import { paramsByName } from './resource-params.ts'

/** Names that a hint lists. */
const maxNames = 50

/** The place of a tag without a value. */
interface TagPlace {
  subject: PathSubject
  owner: StampOwner
  blueprint: Blueprint
  resource: BlueprintResource
}

/** Returns what may help the author of a tag that leads to nothing; empty when nothing is known. */
export function tagHint(tag: string, { subject, owner, blueprint, resource }: TagPlace): string {
  const [root, name] = readPath(tag)
  if (root?.type !== 'field') return ''
  if (root.name === 'params') {
    const known = `; known params: ${namesIn(subject, 'params')}`
    const param = name?.type === 'field' ? paramsByName(owner).get(name.name) : undefined
    if (name?.type === 'field' && partAt(subject.root, ['params', name.name]) !== undefined) return ''
    if (param === undefined) return known
    return `${known}; the ${owner.kind.toLowerCase()} sets it (${placeOf(param.at)}), which applies only when ${blueprintWord(blueprint)} [${blueprint.name}] lists it with a default`
  }
  if (root.name !== 'sources' && root.name !== 'images' && root.name !== 'configs') return ''
  if (name?.type !== 'field' || partAt(subject.root, [root.name, name.name]) !== undefined) return ''
  const input = resource[root.name].find((one) => one.name === name.name)
  if (input === undefined) return `; known ${root.name}: ${namesIn(subject, root.name)}`
  return `; resource [${input.resource}] comes no earlier than [${resource.name}] or has no such output`
}

function namesIn(subject: PathSubject, field: string): string {
  const value = partAt(subject.root, [field])?.value
  const names = isValueMap(value) ? Array.from(value.keys()) : []
  if (names.length === 0) return 'none'
  return someInLine(names, maxNames)
}
