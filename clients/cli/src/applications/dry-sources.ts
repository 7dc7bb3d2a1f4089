import type { JsonObject } from '@bufbuild/protobuf'
import { CommandFailure } from '../command-line/command-failure.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import { drySourcesIn } from '@wadi/resources/application/dry-source-objects.ts'

/** The first dry source of an Application, whose commits are its dry commits. */
export function firstDrySource(application: JsonObject | undefined): JsonObject {
  return drySourcesIn(application)[0] ?? {}
}

/**
 * The only dry source of an Application.
 * @param otherwise what to do about one with several
 * @throws CommandFailure for one with several, whose other repositories only a server reads
 */
export function onlyDrySource(application: JsonObject | undefined, otherwise: string): JsonObject {
  const [only = {}, ...more] = drySourcesIn(application)
  if (more.length === 0) return only
  throw new CommandFailure(
    `application ${textAt(application, 'metadata', 'name')} has several dry sources, which are not rendered locally; ${otherwise}`,
  )
}
