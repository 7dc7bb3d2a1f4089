import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { JsonObject } from '@bufbuild/protobuf'
import { firstDrySource, onlyDrySource } from '../applications/dry-sources.ts'
import { parseQualifiedName } from '../applications/application-name.ts'
import type { QualifiedName } from '../applications/application-name.ts'
import { explain } from '../command-line/command-help.ts'
import { count } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { endUsageWithTrouble } from '../command-line/comparison-trouble.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { shortSha } from '../applications/hydration-state.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import { addPluginFlags, type PluginFlags } from '../plugins/plugin-flags.ts'
import type { KeptVersions } from '../tools/kept-versions.ts'
import type { ServerConnection } from '../connection/server-connection.ts'

interface DiffFlags extends PluginFlags {
  revision?: string
  local?: string
  exitCode: boolean
  diffExitCode: number
  appNamespace?: string
}

/** Adds `app diff`. */
export function addDiffCommand(app: Command, session: CommandSession): void {
  const command = addPluginFlags(app.command('diff'))
    .argument('<name>', 'NAME or NAMESPACE/NAME')
    .option('--revision <revision>', 'dry revision to compare with (default: that of the Application)')
    .option(
      '--local <directory>',
      'compare with a working tree instead: the directory of the dry source, or the root of a checkout',
    )
    .option('--exit-code', 'exit with a non-zero code if there are differences', true)
    .option('--no-exit-code', 'exit with 0 even if there are differences')
    .option('--diff-exit-code <number>', 'the exit code to use', count, 1)
    .option('-N, --app-namespace <namespace>', 'namespace of the Application')
    .exitOverride(endUsageWithTrouble)
    .action((name: string, flags: DiffFlags) => showDifferences(session, command, name, flags))
  explain(
    command,
    'Compare the hydrated branch of an Application with what its dry source renders to. Writes nothing.',
    [
      'wadi app diff guestbook',
      'wadi app diff guestbook --revision feature-branch',
      'wadi app diff guestbook --local ./guestbook',
      'wadi app diff greeting --local . --plugin plugins/trivial/plugin.yaml',
    ],
  )
  command.addHelpText(
    'after',
    '\nExit codes: 0 equal, 1 different, 2 wrong usage, 20 error. KUBECTL_EXTERNAL_DIFF selects another diff program.',
  )
  completeWith(command, 'applications')
}

interface Side {
  manifest: string
  files: ReadonlyArray<{ path: string; content: string }>
  label: string
}

async function showDifferences(
  session: CommandSession,
  command: Command,
  name: string,
  flags: DiffFlags,
): Promise<void> {
  if (flags.local !== undefined && flags.revision !== undefined) command.help({ error: true })
  const { signal } = session
  const { applications } = await session.connect('applications')
  const qualified = parseQualifiedName(name, flags.appNamespace)
  const { application = {} } = await applications.getApplication(qualified, { signal })
  const isLocal = flags.local !== undefined
  // What the server renders hides equal values alike; what is rendered here does not.
  const hydrated = await applications.getManifests({ ...qualified, plainSecrets: isLocal }, { signal })
  const withoutSecretValues = isLocal && hydrated.hiddenSecrets > 0
  const rendered =
    flags.local === undefined
      ? await renderOnServer(applications, qualified, application, flags.revision, signal)
      : await renderLocally(flags.local, flags, application, session)
  const { secretsNotCompared } = await import('../applications/secrets-not-compared.ts')
  const { differingFiles, differingObjects, header, unifiedDiff } =
    await import('../applications/manifest-diff.ts')
  if (withoutSecretValues) session.warn(secretsNotCompared)
  const { withoutTerminalControls } = await import('../output/printable.ts')
  const { isLeftOut } = await import('@wadi/hydration/manifest-files.ts')
  const { readHydratorMetadata } = await import('@wadi/hydration/hydrator-metadata.ts')
  const { layout } = readHydratorMetadata(hydrated.metadata)
  const differences = [
    ...differingObjects(hydrated.manifest, rendered.manifest, {
      isExpected: (manifest) => !isLeftOut(manifest, layout),
      withoutSecretValues,
    }),
    ...differingFiles(hydrated.files, rendered.files),
  ]
  const labels = { before: `hydrated (${shortSha(hydrated.hydratedSha)})`, after: rendered.label }
  const externalDiff = session.environment['KUBECTL_EXTERNAL_DIFF']
  for (const difference of differences) {
    if (externalDiff) {
      const { runExternalDiff } = await import('../applications/external-diff.ts')
      process.stdout.write(`\n${withoutTerminalControls(header(difference))}\n`)
      await runExternalDiff(externalDiff, difference, signal)
    } else {
      process.stdout.write(withoutTerminalControls(unifiedDiff(difference, labels)))
    }
  }
  if (differences.length > 0 && flags.exitCode) process.exitCode = flags.diffExitCode
}

async function renderOnServer(
  applications: ServerConnection['applications'],
  name: QualifiedName,
  application: JsonObject,
  revision: string | undefined,
  signal: AbortSignal,
): Promise<Side> {
  const target = textAt(firstDrySource(application), 'targetRevision')
  const dryRevision = revision ?? (target || 'HEAD')
  const answer = await applications.getManifests({ ...name, dryRevision }, { signal })
  const { manifest, files, drySha } = answer
  return { manifest, files, label: `rendered from ${dryRevision} (${shortSha(drySha)})` }
}

async function renderLocally(
  directory: string,
  pluginFlags: PluginFlags,
  application: JsonObject,
  session: CommandSession,
): Promise<Side> {
  const { renderDirectory } = await import('../render/render-directory.ts')
  const { instanceName } = await import('@wadi/resources/application/application.ts')
  const { manifestGeneratePathsAnnotation } = await import('@wadi/hydration/source-message.ts')
  const drySource = onlyDrySource(application, 'leave --local out')
  const applicationName = instanceName({
    name: textAt(application, 'metadata', 'name'),
    namespace: textAt(application, 'metadata', 'namespace'),
  })
  const { openLocalPlugins } = await import('../plugins/local-plugins.ts')
  await using plugins = await openLocalPlugins(pluginFlags, session)
  const { manifest, files, warnings, versions } = await renderDirectory({
    directory: directoryOfSource(directory, textAt(drySource, 'path')),
    sourceOptions: drySource,
    applicationName,
    instance: { name: applicationName, project: textAt(application, 'spec', 'project') },
    destinationNamespace: textAt(application, 'spec', 'destination', 'namespace'),
    repoUrl: textAt(drySource, 'repoURL'),
    targetRevision: textAt(drySource, 'targetRevision'),
    manifestGeneratePaths: textAt(application, 'metadata', 'annotations', manifestGeneratePathsAnnotation),
    kept: await keptByServer(application, session),
    plugins,
    warn: session.warn,
    signal: session.signal,
  })
  const { reportVersions } = await import('../tools/report-versions.ts')
  reportVersions(versions, session)
  for (const warning of warnings) session.warn(warning)
  return { manifest, files, label: `rendered from ${directory}` }
}

/** The versions that the branch of an Application keeps. */
async function keptByServer(application: JsonObject, session: CommandSession): Promise<KeptVersions> {
  const { ServerVersions } = await import('../tools/server-versions.ts')
  const { checkedResource } = await import('@wadi/resources/object-checks.ts')
  const { hydratedBranchOf, parseApplication } = await import('@wadi/resources/application/application.ts')
  const { repoUrl = '', branch = '' } = hydratedBranchOf(parseApplication(checkedResource(application))) ?? {}
  return new ServerVersions(session, branch).of(repoUrl, branch)
}

/** The root of a checkout stands for the Application's directory in it. */
function directoryOfSource(directory: string, drySourcePath: string): string {
  const inside = join(directory, drySourcePath)
  return existsSync(join(directory, '.git')) && existsSync(inside) ? inside : directory
}
