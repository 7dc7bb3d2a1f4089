import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import {
  type DrySource,
  type DrySources,
  drySourcesOf,
  isRendered,
  renderedPositions,
} from './dry-sources.ts'

/** Which dry source of an Application is meant, by one of both. */
export interface SourceChoice {
  /** Counts from 1, as Argo CD's command line does; 0 when it is not given. */
  readonly sourcePosition: number
  /** The `name` of the source; empty when it is not given. */
  readonly sourceName: string
}

const maxListed = 20

/** True if a source is named at all. */
export function isChosen({ sourcePosition, sourceName }: SourceChoice): boolean {
  return sourcePosition !== 0 || sourceName !== ''
}

/**
 * Returns the position of a source among those of an Application, from 0; the first with manifests when none is named.
 * @throws InvalidInputError that lists the sources, for one that is not there, has no manifests or is named twice
 */
export function chosenPosition(sources: DrySources, choice: SourceChoice): number {
  if (!isChosen(choice)) return renderedPositions(sources)[0] ?? 0
  const { sourcePosition, sourceName } = choice
  if (sourcePosition !== 0 && sourceName !== '') {
    throw new InvalidInputError('name the dry source by its position or by its name, not by both')
  }
  const listed = drySourcesOf(sources)
  const isMeant = ({ name }: DrySource, index: number): boolean =>
    sourceName === '' ? index + 1 === sourcePosition : name === sourceName
  const [position, ...others] = listed.flatMap((source, index) =>
    isMeant(source, index) && isRendered(source) ? [index] : [],
  )
  if (position === undefined || others.length > 0) {
    const count = position === undefined ? 'no dry source with manifests has' : 'several dry sources have'
    const wanted = sourceName === '' ? `position ${sourcePosition}` : `the name ${JSON.stringify(sourceName)}`
    throw new InvalidInputError(`${count} ${wanted}; those with manifests are ${listOf(listed)}`)
  }
  return position
}

/** The sources with manifests, for people: `1 (charts/db), 3 ("web", web)`. */
export function renderedSourcesText(sources: DrySources): string {
  return listOf(drySourcesOf(sources))
}

function listOf(sources: readonly DrySource[]): string {
  const rendered = sources.flatMap((source, index) =>
    isRendered(source) ? [`${index + 1} (${described(source)})`] : [],
  )
  return someInLine(rendered, maxListed)
}

function described({ name, chart, path, repoURL }: DrySource): string {
  const place = chart ?? (path === '' ? repoURL : path)
  return name === undefined ? place : `${JSON.stringify(name)}, ${place}`
}
