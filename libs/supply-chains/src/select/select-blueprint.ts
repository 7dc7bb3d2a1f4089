import { byKey } from '@wadi/order/by-name.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { blueprintWord } from '../read/cartographer-objects.ts'
import type {
  Blueprint,
  BlueprintResource,
  StampOwner,
  TemplateOption,
} from '../read/cartographer-objects.ts'
import { Findings, placeOf } from '../findings.ts'
import { SelectorError, bestMatches } from './match-selector.ts'
import type { StampBudget } from '../stamp/stamp-budget.ts'

/** Names of chains that a message lists. */
const maxNames = 20

/**
 * Returns the chain (of a Workload) or delivery (of a Deliverable) whose selector fits an owner best, findings in the rest of
 * it or not. One whose selector itself has findings is left out, and reported when no other matches.
 *
 * @throws InvalidInputError when the owner has no labels, or none fits, or several fit equally well.
 */
export function selectBlueprint(
  owner: StampOwner,
  blueprints: readonly Blueprint[],
  budget?: StampBudget,
): Blueprint {
  const kind = owner.kind === 'Workload' ? 'ClusterSupplyChain' : 'ClusterDelivery'
  const [word, ownerWord] = [blueprintWord({ kind }), owner.kind.toLowerCase()]
  const candidates = blueprints.filter((blueprint) => blueprint.kind === kind)
  const title = `[${owner.namespace}/${owner.name}]`
  const refuse = (message: string, invalid: readonly Blueprint[] = []) => {
    const reported = new Findings()
    for (const { findings } of invalid) reported.addAll(findings)
    return new InvalidInputError([`${placeOf(owner.at)}: ${message}`, ...reported.lines].join('\n'))
  }
  if (owner.labels.size === 0) {
    throw refuse(
      `${ownerWord} ${title} is missing required labels: it has none that a ${word} could select it by; ${known(candidates, word)}`,
    )
  }
  const selectable = candidates.filter(({ hasKnownSelector }) => hasKnownSelector)
  const matches = matchesOf(owner, selectable, budget)
  const [match] = matches
  if (match === undefined) {
    throw refuse(
      `no ${word} ${title} found where full selector is satisfied by labels: ${labelsText(owner.labels)}; ${known(candidates, word)}`,
      candidates.filter(({ hasKnownSelector }) => !hasKnownSelector),
    )
  }
  if (matches.length > 1) {
    throw refuse(
      `${ownerWord} may only match a single ${word}'s selector: ${title} matches ${listed(matches)} equally well`,
      matches,
    )
  }
  return match
}

function matchesOf(
  owner: StampOwner,
  candidates: readonly Blueprint[],
  budget: StampBudget | undefined,
): Blueprint[] {
  try {
    return bestMatches(owner, candidates, budget)
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error
    const candidate = candidates[error.index]
    const place = placeOf(candidate?.at ?? owner.at)
    throw new InvalidInputError(
      `${place}: error handling selectors, selectorMatchExpressions or selectorMatchFields of [${candidate?.kind}/${candidate?.name}]: ${error.message}`,
      { cause: error },
    )
  }
}

function known(candidates: readonly Blueprint[], word: string): string {
  if (candidates.length === 0) return `there is no ${word}`
  return `there is ${listed(candidates)}`
}

function listed(blueprints: readonly Blueprint[]): string {
  const names = blueprints.map(({ name, at }) => `[${name}] (${placeOf(at)})`)
  return someInLine(names, maxNames)
}

function labelsText(labels: ReadonlyMap<string, string>): string {
  const sorted = Array.from(labels).toSorted(byKey)
  return `map[${sorted.map(([key, value]) => `${key}:${value}`).join(' ')}]`
}

/**
 * Returns the option of a resource whose selector fits an owner best; undefined for a resource that has no options.
 *
 * @throws InvalidInputError without place, in Cartographer's words, when not exactly one fits best.
 */
export function selectOption(
  owner: StampOwner,
  resource: BlueprintResource,
  blueprint: Blueprint,
  budget?: StampBudget,
): TemplateOption | undefined {
  if (resource.options.length === 0) return undefined
  const where = `resource [${resource.name}] in ${blueprintWord(blueprint)} [${blueprint.name}]`
  const matches = optionsOf(owner, resource.options, where, budget)
  const [match] = matches
  if (match !== undefined && matches.length === 1) return match
  const names = matches.length === 0 ? '' : `[${matches.map((option) => option.name).join(', ')}] `
  throw new InvalidInputError(
    `expected exactly 1 option to match, found [${matches.length}] matching options ${names}for ${where}`,
  )
}

function optionsOf(
  owner: StampOwner,
  options: readonly TemplateOption[],
  where: string,
  budget: StampBudget | undefined,
): TemplateOption[] {
  try {
    return bestMatches(owner, options, budget)
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error
    const name = options[error.index]?.name ?? ''
    throw new InvalidInputError(
      `error matching against template option [${name}] for ${where}: ${error.message}`,
      {
        cause: error,
      },
    )
  }
}
