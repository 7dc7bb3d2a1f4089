import { mkdirSync, rmSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { HandlerContext } from '@connectrpc/connect'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { reworded } from '@wadi/errors/reword.ts'
import type { Announcement } from '@wadi/plugins/announcements/announcement.ts'
import type { PluginDefinition } from '@wadi/plugins/file/plugin.ts'
import { prefixedVariables } from '@wadi/plugins/parameters/parameter-variables.ts'
import type { Parameter } from '@wadi/plugins/parameters/parameter.ts'
import { parametersJson, parseParametersJson } from '@wadi/plugins/parameters/parameters-json.ts'
import { unprefixedNames } from '@wadi/plugins/variables/unprefixed-names.ts'
import type { AppStreamRequest, ManifestRequestMetadata } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import { extractArchive } from '../archive/extract-archive.ts'
import { type ArchiveMessages, receiveArchive } from '../archive/receive-archive.ts'
import { type CmpServerContext, requirePlugin } from '../context.ts'
import { type CommandEnvironment, commandEnvironment } from '../environment/command-environment.ts'
import { type RequestVariables, readRequestVariables } from '../environment/request-variables.ts'
import { variableRedactor } from '../environment/secrets.ts'
import type { CommandRole } from '../events.ts'
import { applicationDirectory } from './application-directory.ts'
import { beforeDeadline, whileAwaited } from './caller-deadline.ts'
import { type CommandOutput, runCommand, shownCommand } from './run-command.ts'

/** The plugin with a copy of an application's files. */
export interface PluginRun {
  readonly plugin: PluginDefinition
  /** The root of the files, without symbolic links. */
  readonly root: string
  /** The application's directory, without symbolic links. */
  readonly directory: string
  /** Tells the application from others of the plugin. */
  readonly application: string
  /** The parameters that the source sets; undefined if it has no plugin stanza. */
  readonly parameters: readonly Parameter[] | undefined
  readonly request: Pick<RequestVariables, 'others' | 'skipped'>
  readonly signal: AbortSignal
  /** Time limit of each command. */
  readonly commandTimeoutMs: number
  /** Makes the environment for commands that are given these parameters, and writes the file that it names. */
  environment(
    parameters: readonly Parameter[] | undefined,
    announcements: readonly Announcement[],
  ): Promise<CommandEnvironment>
  /** Runs one of the plugin's commands in the application's directory, for `commandTimeoutMs` at most, or less if asked. */
  command(
    role: CommandRole,
    argv: readonly string[],
    environment: CommandEnvironment,
    timeoutMs?: number,
  ): Promise<CommandOutput>
  /** Takes secrets and the place of the copy out of a text. */
  clean: (text: string) => string
}

/** Argo CD's, and its words. */
const pluginMessages: ArchiveMessages<AppStreamRequest, ManifestRequestMetadata> = {
  header: ({ request }) => (request.case === 'metadata' ? request.value : undefined),
  checksum: ({ checksum }) => checksum,
  chunk: ({ request }) => (request.case === 'file' ? request.value.chunk : undefined),
  errors: {
    header: 'error getting stream metadata: metadata is nil',
    chunk: 'stream request file is nil',
  },
}

/**
 * Receives the files of a call into a private directory, waits for its turn, does something with them and removes them,
 * whatever happens. Only calls whose turn it is have their files extracted. The result has the identity of the plugin
 * as it is after the run, for callers that keep results.
 */
export async function withFiles<T extends object>(
  context: CmpServerContext,
  requests: AsyncIterable<AppStreamRequest>,
  call: Pick<HandlerContext, 'signal' | 'timeoutMs'>,
  task: (run: PluginRun) => Promise<T>,
): Promise<T & { pluginIdentity: string }> {
  const signal = beforeDeadline(call)
  let identity: Promise<string> | undefined
  const result = await inPrivateDirectory(context, requests, signal, async (run) => {
    const done = await task(run)
    identity = context.consistsOf.identity()
    // It is awaited below, after the files are gone.
    identity.catch(() => undefined)
    return done
  })
  return { ...result, pluginIdentity: (await identity) ?? '' }
}

async function inPrivateDirectory<T>(
  context: CmpServerContext,
  requests: AsyncIterable<AppStreamRequest>,
  signal: AbortSignal,
  task: (run: PluginRun) => Promise<T>,
): Promise<T> {
  const plugin = requirePlugin(context)
  await using scratch = context.runs.open()
  const root = path.join(scratch.path, 'files')
  const archive = path.join(scratch.path, 'archive')
  const { compressedBytes } = context.limits
  const { header: metadata, read } = await receiveArchive(requests, pluginMessages, archive, compressedBytes)
  const request = readRequestVariables(metadata.env, plugin.provideGitCredentials)
  const parameters =
    request.parametersText === undefined ? undefined : parseParametersJson(request.parametersText)
  const service = [...context.environment].map(([name, value]) => ({ name, value }))
  const redact = variableRedactor([...service, ...metadata.env, ...prefixedVariables(parameters ?? [])])
  const clean = (text: string) => withoutDirectory(withoutDirectory(redact(text), root), scratch.path)
  const slot = await context.slots.take(signal)
  try {
    mkdirSync(root)
    await extractArchive(read(), root, context.limits, { preserveFileMode: plugin.preserveFileMode, signal })
    rmSync(archive, { force: true })
    const directory = applicationDirectory(root, metadata.appRelPath)
    const copy = { scratch: scratch.path, root, directory, appRelPath: metadata.appRelPath }
    return await task(pluginRun(context, { plugin, copy, request, parameters, signal, clean }))
  } catch (error) {
    throw reworded(error, clean)
  } finally {
    slot.giveBack()
  }
}

interface RunParts extends Pick<PluginRun, 'plugin' | 'parameters' | 'signal' | 'clean'> {
  copy: { scratch: string; root: string; directory: string; appRelPath: string }
  request: RequestVariables
}

function pluginRun(context: CmpServerContext, parts: RunParts): PluginRun {
  const { plugin, copy, request, parameters, signal, clean } = parts
  const { scratch, root, directory, appRelPath } = copy
  const file = path.join(scratch, 'parameters.json')
  const mayName = unprefixedNames(plugin)
  return {
    plugin,
    root,
    directory,
    application: applicationOf(request, appRelPath),
    parameters,
    request,
    signal,
    commandTimeoutMs: context.commands.timeoutMs,
    clean,
    async environment(given, announcements) {
      const text = given && parametersText(given, parameters, request)
      if (text !== undefined) await replaceFile(file, text)
      const run = given && text !== undefined && { parameters: given, text, file, announcements, mayName }
      return commandEnvironment(withHome(context.environment, scratch), request, run || undefined)
    },
    async command(role, argv, { variables }, timeoutMs = context.commands.timeoutMs) {
      const running = reported(context, role, () =>
        runCommand(argv, {
          ...context.commands,
          timeoutMs,
          programDirectories: context.programDirectories,
          cwd: directory,
          runDirectory: scratch,
          environment: variables,
          signal,
          clean,
        }),
      )
      return await whileAwaited(running, signal, shownCommand(argv, clean))
    },
  }
}

/** A service that has no home itself gives each run one of its own. */
function withHome(service: ReadonlyMap<string, string>, directory: string): ReadonlyMap<string, string> {
  if (service.has('HOME')) return service
  const home = path.join(directory, 'home')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  return new Map([...service, ['HOME', home]])
}

function applicationOf({ others }: RequestVariables, appRelPath: string): string {
  const names = ['ARGOCD_APP_SOURCE_REPO_URL', 'ARGOCD_APP_NAME']
  return JSON.stringify([...names.map((name) => others.get(name) ?? ''), appRelPath])
}

/** The parameters as the request has them, if they are these. */
function parametersText(
  given: readonly Parameter[],
  requested: readonly Parameter[] | undefined,
  request: RequestVariables,
): string {
  const text = parametersJson(given)
  return requested !== undefined && text === parametersJson(requested)
    ? (request.parametersText ?? text)
    : text
}

async function replaceFile(file: string, text: string): Promise<void> {
  // A command may have put something else in its place.
  await rm(file, { recursive: true, force: true })
  await writeFile(file, text, { flag: 'wx', mode: 0o600 })
}

/** Runs a command and records in the events of the service how it ended. */
export async function reported(
  context: Pick<CmpServerContext, 'events'>,
  role: CommandRole,
  run: () => Promise<CommandOutput>,
): Promise<CommandOutput> {
  const startedAt = performance.now()
  const report = (outcome: { errors: string; isEmpty: boolean; failed: boolean }) =>
    context.events.commandEnded(role, { milliseconds: performance.now() - startedAt, ...outcome })
  try {
    const output = await run()
    report({ errors: output.errors, isEmpty: output.text.trim() === '', failed: false })
    return output
  } catch (error) {
    report({ errors: errorMessage(error), isEmpty: false, failed: true })
    throw error
  }
}

/** Returns a text about the copy with its paths as those of the repository. */
export function withoutDirectory(text: string, directory: string): string {
  return text.replaceAll(`${directory}/`, '').replaceAll(directory, '.')
}
