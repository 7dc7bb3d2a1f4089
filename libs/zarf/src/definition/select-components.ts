import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { compileMatcher } from '@wadi/patterns/automaton.ts'
import { parseGoFileMatch } from '@wadi/patterns/go-file-match.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'
import type { Finding } from '../lint/finding.ts'
import type { Component } from './zarf-package.ts'

/** The most names and patterns that may be given. */
const maxRequests = 100

/** The longest pattern for names of components. */
const maxPatternLength = 256

/**
 * Returns the components that are deployed, in their order: required ones, and of the optional ones those that are asked
 * for, or the default ones where nothing is asked for. Of a group there is exactly one. A component that is the only one
 * and of which nothing says whether it is deployed is taken: Zarf would ask for it.
 *
 * @param requested Names and patterns with commas between; a leading `-` excludes.
 * @throws InvalidInputError when a request matches nothing, or a group has none or two.
 */
export function selectComponents(components: readonly Component[], requested: string): Component[] {
  const requests = readRequests(requested)
  if (requests.length > maxRequests) {
    throw new InvalidInputError(`more than ${maxRequests} names and patterns of components are given`)
  }
  const matched = new Set<Request>()
  const chosen = [
    ...Map.groupBy(components, ({ group, name }) => (group === '' ? `component ${name}` : `group ${group}`)),
  ].flatMap(([, members]) => selectOf(members, requests, matched))
  const unmatched = requests.find((request) => !matched.has(request))
  if (unmatched !== undefined) {
    throw new InvalidInputError(
      `no compatible components found: ${unmatched.text}: choose from ${components.map(({ name }) => name).join(', ')}`,
    )
  }
  const [only, ...others] = components
  if (chosen.length === 0 && requests.length === 0 && only?.isUndecided === true && others.length === 0) {
    return [only]
  }
  if (chosen.length === 0) {
    throw new InvalidInputError(
      `no component is selected: choose from ${components.map(({ name }) => name).join(', ')} with required: true in ` +
        'the package, or with package.deploy.components in zarf-config.yaml',
    )
  }
  const taken = new Set(chosen)
  return components.filter((component) => taken.has(component))
}

/**
 * Says of components that nobody selected and nobody excluded that they are left out, and how to have them.
 *
 * @param requested What {@link selectComponents} was asked for.
 * @param place Where requests are written, for messages.
 */
export function leftOutComponents(
  components: readonly Component[],
  selected: readonly Component[],
  requested: string,
  place: string,
): Finding[] {
  const exclusions = readRequests(requested).filter(({ isExclusion }) => isExclusion)
  return components
    .filter((component) => !selected.includes(component))
    .filter(({ name }) => !exclusions.some((exclusion) => exclusion.matches(name)))
    .map(({ name, group, tree }) => {
      const taken = group === '' ? undefined : selected.find((component) => component.group === group)
      const instead = taken === undefined ? '' : ` instead of ${taken.name}`
      const message =
        `component ${name} is not selected and is left out: to include it${instead}, add "${name}" to ${place}; ` +
        `"-${name}" there excludes it explicitly`
      return { severity: 'warning', message, at: tree.at }
    })
}

interface Request {
  text: string
  isExclusion: boolean
  matches: Matcher
}

function readRequests(requested: string): Request[] {
  return requested
    .split(',')
    .map((request) => request.trim())
    .filter((request) => request !== '')
    .map(readRequest)
}

function readRequest(text: string): Request {
  const isExclusion = text.startsWith('-')
  const pattern = isExclusion ? text.slice(1) : text
  if (pattern.length > maxPatternLength) {
    throw new InvalidInputError(`the pattern for components is longer than ${maxPatternLength} characters`)
  }
  return { text, isExclusion, matches: matcherOf(pattern) }
}

/** Zarf has Go's `path.Match` here, and takes a pattern that is wrong for one that matches nothing. */
function matcherOf(pattern: string): Matcher {
  try {
    return compileMatcher(parseGoFileMatch(pattern))
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    return () => false
  }
}

function selectOf(
  members: readonly Component[],
  requests: readonly Request[],
  matched: Set<Request>,
): Component[] {
  const selected: Component[] = []
  let fallback: Component | undefined
  for (const component of members) {
    const exclusion = requests.find((each) => each.isExclusion && each.matches(component.name))
    const inclusion = requests.find((each) => !each.isExclusion && each.matches(component.name))
    const request = exclusion ?? inclusion
    if (request !== undefined) {
      matched.add(request)
    }
    if (component.isRequired || (exclusion === undefined && inclusion !== undefined)) {
      selected.push(component)
    } else if (exclusion === undefined && component.isDefault) {
      fallback ??= component
    }
  }
  const [first, second] = selected
  const group = members[0]?.group ?? ''
  if (group !== '' && first !== undefined && second !== undefined) {
    throw new InvalidInputError(
      `cannot specify multiple components from the same group: group: ${group} selected: ${first.name}, ${second.name}`,
    )
  }
  if (first === undefined && fallback === undefined && members.length > 1) {
    throw new InvalidInputError(
      `no default or selected component found: choose from ${members.map(({ name }) => name).join(', ')}`,
    )
  }
  return first === undefined && fallback !== undefined ? [fallback] : selected
}
