import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { type ListDirectory, matchesRule } from '@wadi/plugins/discovery/matches-rule.ts'
import { leftOutPaths } from '@wadi/plugins/left-out-paths.ts'
import { type FollowedPath, followPath } from '@wadi/file-trees/follow-links.ts'
import type { Plugin, Plugins } from './plugins.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import type { PluginOptions } from './plugin-option-schema.ts'
import type { TracingTree } from '@wadi/file-trees/tracing-tree.ts'

/** A source that may be a plugin's. */
interface PluginQuestion {
  readonly tree: TracingTree
  readonly path: string
  /** The source's `plugin` block; undefined for a source without options of any renderer. */
  readonly options: PluginOptions | undefined
  readonly plugins: Plugins
  /** Patterns of the paths that plugins do not receive, and so do not find. */
  readonly leftOut: readonly string[]
  /** Asks a plugin whose rule is known only to itself. */
  readonly match: (plugin: Plugin) => Promise<boolean>
  readonly signal: AbortSignal | undefined
}

/**
 * The plugin that renders a source: the one that its options name, else the first whose rule matches.
 * Undefined only without a `plugin` block. A plugin that fails while it is asked is an error and never a no, as a guess
 * at another renderer would commit manifests that nobody meant.
 * @throws NotFoundError if there is no plugin of that name or none that matches, InvalidInputError if the named one does
 *   not match, and what the plugins throw
 */
export async function choosePlugin(question: PluginQuestion): Promise<Plugin | undefined> {
  const { plugins, options, signal } = question
  const place = `source "${question.path || '.'}"`
  if (options?.name) {
    const plugin = await plugins.get(options.name, signal)
    const reason = plugin.discovery === undefined ? undefined : await whyNot(plugin, question)
    if (reason === undefined) return plugin
    throw new InvalidInputError(
      `${place} names the plugin "${plugin.name}", but ${reason}; correct plugin.name or the source's path, or add what the rule looks for`,
    )
  }
  const rejections: string[] = []
  for (const plugin of await plugins.list(signal)) {
    const reason = await whyNot(plugin, question)
    if (reason === undefined) return plugin
    rejections.push(`${plugin.name}: ${reason}`)
  }
  if (options === undefined) return undefined
  const asked =
    rejections.length === 0
      ? 'no plugins are configured; give them with --plugin or --plugin-sockets'
      : rejections.join('\n')
  throw new NotFoundError(`no plugin matches ${place}; set plugin.name\n${asked}`)
}

/** Why a source is not a plugin's own; undefined if it is. */
async function whyNot(plugin: Plugin, question: PluginQuestion): Promise<string | undefined> {
  const { discovery } = plugin
  if (discovery === undefined) return 'it has no discovery rule, so it must be named'
  if (discovery.by === 'remote') {
    return (await question.match(plugin)) ? undefined : 'its discovery does not recognise the directory'
  }
  if (await matchesRule({ ...discovery, by: discovery.by }, listDirectory(question))) return undefined
  return `nothing in the directory matches its discovery rule ${discovery.by} ${JSON.stringify(discovery.pattern)}`
}

function listDirectory({ tree, path, leftOut }: PluginQuestion): ListDirectory {
  const away = leftOutPaths(leftOut)
  return async (relative) => {
    const directory = relative === '' ? path : childPath(path, relative)
    if (away.hasAbove(directory)) return undefined
    const followed = await followAnyway(tree, directory)
    if (followed?.entry.kind !== 'directory') {
      await tree.noteAbsence(directory)
      return undefined
    }
    const entries = await tree.list(followed.target)
    const found = entries.filter(({ name }) => !away.has(childPath(directory, name)))
    return found.map(({ name, kind }) => ({ name, isDirectory: kind === 'directory' }))
  }
}

/** Nothing is found behind a broken link or in a submodule, which may be there for anything but the plugin. */
async function followAnyway(tree: TracingTree, path: string): Promise<FollowedPath | undefined> {
  try {
    return await followPath(tree, path)
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    // Where it leads may come with a change of anything.
    await tree.entry('')
    return undefined
  }
}
