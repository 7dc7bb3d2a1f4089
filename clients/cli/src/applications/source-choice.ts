import { type Command, InvalidArgumentError } from 'commander'
import type { JsonObject } from '@bufbuild/protobuf'
import { textAt } from '@wadi/fields/json-fields.ts'
import { drySourcesIn } from '@wadi/resources/application/dry-source-objects.ts'
import { CommandFailure } from '../command-line/command-failure.ts'

/** The flags that name one of several dry sources. */
export interface SourceChoiceFlags {
  sourcePosition?: number
  sourceName?: string
}

/** Adds the flags that name one of several dry sources, with Argo CD's names. */
export function addSourceChoiceFlags(command: Command): Command {
  return command
    .option(
      '--source-position <number>',
      'dry source of several, by its position from 1 (default: the first with manifests)',
      positionOf,
    )
    .option('--source-name <name>', 'dry source of several, by its name')
}

/** The choice as requests have it. */
export function sourceChoice({ sourcePosition = 0, sourceName = '' }: SourceChoiceFlags) {
  return { sourcePosition, sourceName }
}

/**
 * The position from 0 of the dry source that flags name; undefined when they name none.
 * @throws CommandFailure when there is no such source
 */
export function chosenSource(
  application: JsonObject,
  { sourcePosition, sourceName }: SourceChoiceFlags,
): number | undefined {
  if (sourcePosition === undefined && sourceName === undefined) return undefined
  const sources = drySourcesIn(application)
  const index =
    sourceName === undefined
      ? (sourcePosition ?? 0) - 1
      : sources.findIndex((source) => textAt(source, 'name') === sourceName)
  if (index >= 0 && index < sources.length) return index
  const wanted =
    sourceName === undefined ? `position ${sourcePosition}` : `the name ${JSON.stringify(sourceName)}`
  throw new CommandFailure(`no dry source has ${wanted}; the application has ${sources.length}`)
}

function positionOf(text: string): number {
  const position = Number(text)
  if (/^[1-9]\d*$/.test(text) && position <= 1_000) return position
  throw new InvalidArgumentError('a position is a number from 1.')
}
