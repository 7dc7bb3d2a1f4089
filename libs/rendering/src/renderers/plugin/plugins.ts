import { NotFoundError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { Announcement } from '@wadi/plugins/announcements/announcement.ts'
import type { GrantedVariables } from '@wadi/plugins/variables/granted-variables.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'

/** A variable of a plugin's environment. */
export interface PluginVariable {
  readonly name: string
  readonly value: string
}

/** A question to a plugin: an application's files, and the variables of its commands. */
export interface PluginCall {
  readonly tree: FileTree
  /** Files and directories that the plugin may see, sorted and normalised; `['']` for the whole repository. */
  readonly inputs: readonly string[]
  /** The application's directory, normalised; `''` is the root. It is below one of the inputs. */
  readonly path: string
  readonly variables: readonly PluginVariable[]
  /** Patterns of the paths that it does not receive; none by default. */
  readonly leftOut?: readonly string[]
  readonly signal?: AbortSignal
  /** When the answer is of no use any more, in the time of `performance.now()`. */
  readonly deadline?: number
}

/** A plugin that a source needs does not answer: an error of that source, while others can be rendered. */
export class PluginUnavailableError extends UnavailableError {}

/** The program of a plugin as it reports it; each field is empty when it is not known. */
export interface PluginProgram {
  /** `spec.version` of its file. */
  readonly version: string
  /** Of the program that generates, in hex. */
  readonly sha256: string
  /** Of the sidecar that it runs in. */
  readonly image: string
}

/** A config management plugin that answers. */
export interface Plugin {
  /** `name` or `name-version`. */
  readonly name: string
  /** Equal for equal configuration and programs; `''` when the plugin has none. A part of fingerprints. */
  readonly identity: string
  readonly program: PluginProgram
  /** `pattern` rules are decided here, `remote` ones by `match`; undefined for a plugin that has to be named. */
  readonly discovery:
    | { readonly by: 'fileName' | 'glob'; readonly pattern: string }
    | { readonly by: 'remote' }
    | undefined
  /** True if oddly written parameters are errors instead of warnings. */
  readonly isStrict: boolean
  /** The variables of the Application and the cluster that it receives although no dry commit decides them. */
  readonly variables: GrantedVariables
  /** True if it wants the credentials of the repository. */
  readonly wantsGitCredentials: boolean
  /** Returns true if the plugin matches the application; throws the plugin's errors, which are never taken for a no. */
  match(call: PluginCall): Promise<boolean>
  /** The parameters that it takes for the application. */
  announce(call: PluginCall): Promise<{ announcements: Announcement[]; warnings: string[] }>
  /** The objects, each a JSON text, in the plugin's order, and the identity of the plugin that made them. */
  generate(call: PluginCall): Promise<{ manifests: string[]; warnings: string[]; identity: string }>
}

/** The plugins that can be reached. */
export interface Plugins {
  /** Changes whenever a plugin comes, goes or changes. */
  identity(): Promise<string>
  /** Those that answer now, sorted by name: the order in which they are asked whether a source is theirs. Throws PluginUnavailableError when one is there and does not answer. */
  list(signal?: AbortSignal): Promise<readonly Plugin[]>
  /** The plugin of a name; NotFoundError that lists the names there are, PluginUnavailableError when it does not answer. */
  get(name: string, signal?: AbortSignal): Promise<Plugin>
}

/** For callers that have no plugins. */
export const noPlugins: Plugins = {
  identity: async () => '',
  list: async () => [],
  get: async (name) => {
    throw new NotFoundError(
      `no plugin ${JSON.stringify(name)}: no plugins are configured; give them with --plugin or --plugin-sockets`,
    )
  },
}
