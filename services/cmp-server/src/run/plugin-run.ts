import { mkdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { HandlerContext } from '@connectrpc/connect'
import { DomainError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { AppStreamRequest } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import { extractArchive } from '../archive/extract-archive.ts'
import { receiveArchive } from '../archive/receive-archive.ts'
import { type CmpServerContext, requirePlugin } from '../context.ts'
import type { CommandRole } from '../events.ts'
import type { Plugin } from '../plugin/plugin.ts'
import { commandEnvironment } from './command-environment.ts'
import { type CommandOutput, runCommand } from './run-command.ts'

/** The plugin with a copy of an application's files. */
export interface PluginRun {
  plugin: Plugin
  /** The application's folder, symbolic links resolved. */
  directory: string
  /** Runs one of the plugin's commands in the application's folder. */
  command: (role: CommandRole, argv: readonly string[]) => Promise<CommandOutput>
}

/** Receives the files of a call into a private folder, does something with them and removes them, whatever happens. */
export async function withFiles<T>(
  context: CmpServerContext,
  requests: AsyncIterable<AppStreamRequest>,
  { signal }: HandlerContext,
  task: (run: PluginRun) => Promise<T>,
): Promise<T> {
  const plugin = requirePlugin(context)
  await using folder = await context.runs.open()
  const archive = path.join(folder.path, 'archive')
  const root = path.join(folder.path, 'files')
  await mkdir(root)
  const metadata = await receiveArchive(requests, archive, context.limits.compressedBytes)
  const { preserveFileMode, provideGitCredentials: gitCredentials } = plugin
  const { environment, skipped } = commandEnvironment(context.environment, metadata.env, { gitCredentials })
  if (skipped.length > 0) context.events.variablesSkipped(skipped)
  await extractArchive(archive, root, context.limits, { preserveFileMode, signal })
  const directory = await applicationFolder(await realpath(root), metadata.appRelPath)
  const command: PluginRun['command'] = async (role, argv) => {
    const startedAt = performance.now()
    const report = (errors: string, isEmpty: boolean, failed: boolean) =>
      context.events.commandEnded(role, {
        milliseconds: performance.now() - startedAt,
        errors,
        isEmpty,
        failed,
      })
    try {
      const output = await runCommand(argv, { ...context.commands, cwd: directory, environment, signal })
      report(output.errors, output.text.trim() === '', false)
      return output
    } catch (error) {
      report('', false, true)
      throw withoutPath(error, root)
    }
  }
  return await task({ plugin, directory, command })
}

async function applicationFolder(root: string, relative: string): Promise<string> {
  const shown = JSON.stringify(relative)
  const outside = new InvalidInputError(`illegal appPath: ${shown} is out of the archive`)
  if (relative.includes('\0') || path.isAbsolute(relative)) throw outside
  const folder = path.resolve(root, relative)
  if (!isWithin(root, folder)) throw outside
  const resolved = await realpath(folder).catch(() => undefined)
  if (resolved === undefined || !(await stat(resolved)).isDirectory()) {
    throw new InvalidInputError(`the archive has no folder ${shown} for the application`)
  }
  if (!isWithin(root, resolved)) throw outside
  return resolved
}

function isWithin(root: string, folder: string): boolean {
  return folder === root || folder.startsWith(`${root}/`)
}

/** What a command says of its folder is to be read as a path of the repository. */
function withoutPath(error: unknown, root: string): unknown {
  if (error instanceof DomainError)
    error.message = error.message.replaceAll(`${root}/`, '').replaceAll(root, '.')
  return error
}
