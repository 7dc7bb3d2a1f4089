import type { Announcement } from '../announcements/announcement.ts'
import type { GrantedVariables } from '../variables/granted-variables.ts'

/** The way in which a plugin finds out if an application is its own. */
export type Discovery =
  | { readonly by: 'fileName'; readonly pattern: string }
  | { readonly by: 'glob'; readonly pattern: string }
  | { readonly by: 'command'; readonly argv: readonly string[] }

/**
 * Which parameters the plugin also gets under their own names, without `PARAM_`: those whose variables its file names in
 * any way, all but variables that steer programs, those that the file announces, or none.
 */
type UnprefixedNames = 'named' | 'guarded' | 'announced' | 'off'

/** A config management plugin as its file describes it. */
export interface PluginDefinition {
  /** `name`, or `name-version` for a plugin with a version: what Applications name and the socket is called. */
  readonly name: string
  /** `spec.version`; empty without one. */
  readonly version: string
  /** Run before `generate`; undefined when there is nothing to prepare. */
  readonly init: readonly string[] | undefined
  readonly generate: readonly string[]
  readonly discovery: Discovery | undefined
  /** Announced for every application. */
  readonly announcements: readonly Announcement[]
  /** Prints further announcements as JSON. */
  readonly announce: readonly string[] | undefined
  /** The hints of `parameters.ui` about announcements that only the command makes, by parameter name or by group. */
  readonly ui: readonly UiEntry[]
  /** The treatment of wrong and missing values: rejected (`strict`) or reported as warnings (`compat`, the default). */
  readonly validation: 'compat' | 'strict'
  readonly unprefixedNames: UnprefixedNames
  /** Variables that parameters may set under the mode `named`, beside those that the file announces or its commands read. */
  readonly variableNames: readonly string[]
  /** True if the plugin gets announced defaults of every form. */
  readonly sendDefaults: boolean
  /** The variables of the Application and the cluster that it gets although no dry commit decides them. */
  readonly variables: GrantedVariables
  readonly preserveFileMode: boolean
  readonly provideGitCredentials: boolean
  /** Warnings about the file, each `file:line: …`: fields that mean nothing, with the nearest known name, and odd announcements. */
  readonly warnings: readonly string[]
}

/** The presentation of a parameter or a group in user interfaces; undefined fields say nothing. */
export interface UiEntry {
  /** Exactly one of `name` and `group` is not empty. */
  readonly name: string
  readonly group: string
  readonly title: string | undefined
  readonly tooltip: string | undefined
  readonly userCanAddMore: boolean | undefined
}

/** The plugin's commands with their arguments. */
export function commandsOf({
  init,
  generate,
  announce,
  discovery,
}: Pick<PluginDefinition, 'init' | 'generate' | 'announce' | 'discovery'>): (readonly string[])[] {
  const discover = discovery?.by === 'command' ? discovery.argv : undefined
  return [init, generate, announce, discover].filter((argv) => argv !== undefined)
}
