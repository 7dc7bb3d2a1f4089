import { nearestName } from '@wadi/errors/nearest-name.ts'
import { someOf } from '@wadi/errors/some-of.ts'
import type { ExplainedParameter } from '@wadi/params/explain/explain.ts'
import { CommandFailure } from '../command-line/command-failure.ts'

/** Most names that are proposed. */
const maxProposals = 5

/**
 * Returns the parameters at a path or below it, in whatever tree they are; a path into a list yields the list. A dot of a key and an
 * index may be written as Helm's parameters have them: `limits.nvidia\.com/gpu`, `hosts[0]`.
 * @throws CommandFailure for a path that leads to none, with the nearest ones
 */
export function leavesAt(parameters: readonly ExplainedParameter[], written: string): ExplainedParameter[] {
  const plain = written.replaceAll('\\.', '.').replaceAll(/\[(\d+)\]/g, '.$1')
  const leaf = plain.startsWith('.') ? plain : `.${plain}`
  if (leaf === '.') return [...parameters]
  const found = parameters.filter(({ path }) => path === leaf || path.startsWith(`${leaf}.`))
  if (found.length > 0) return found
  const lists = parameters.filter(({ path, value }) => Array.isArray(value) && leaf.startsWith(`${path}.`))
  if (lists.length > 0) return lists
  const near = proposals(leaf, [...new Set(parameters.map(({ path }) => path))])
  const hint = near.length === 0 ? 'only its files decide this source' : `there are ${near.join(', ')}`
  throw new CommandFailure(`there is no value at ${leaf}; ${hint}`)
}

/** The name meant most likely, then those beside it, then any. */
function proposals(leaf: string, known: readonly string[]): string[] {
  const nearest = nearestName(leaf, known)
  if (nearest !== undefined) return [nearest]
  const [key = ''] = leaf.split('.').slice(-1)
  const parent = leaf.slice(0, -key.length)
  const near = known.filter((path) => path.endsWith(`.${key}`) || (parent !== '.' && path.startsWith(parent)))
  const shown = near.length > 0 ? near : known
  return someOf(shown, maxProposals)
}
