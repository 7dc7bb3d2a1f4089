import { hydratedFiles } from '@wadi/hydration/hydrated-files.ts'
import type { Command } from 'commander'
import { parseQualifiedName } from '../applications/application-name.ts'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addPluginFlags, type PluginFlags } from '../plugins/plugin-flags.ts'
import { completeWith } from '../completion/completion-tree.ts'
import type { HydratedDirectory, ReproductionSource } from '../render/reproduce-hydration.ts'

interface ReproduceFlags extends PluginFlags {
  repo?: string
  branch?: string
  revision?: string
  dryRepo?: string
  dryPath?: string
  dryRevision: string
  sameTools?: boolean
  namespace: string
  app: string
  appNamespace?: string
}

/** Defines `reproduce`. */
export function defineReproduceCommand(command: Command, session: CommandSession): void {
  addPluginFlags(command)
    .argument('<name-or-path>', 'Application, or with --repo a hydrated directory of the branch')
    .option('--repo <directory-or-url>', 'repository of the hydrated branch; no server is used')
    .option('--branch <branch>', 'hydrated branch in --repo')
    .option('--revision <sha>', 'hydrated commit (default: the newest)')
    .option('--dry-repo <directory-or-url>', 'dry repository (default: cloned from the URL in the metadata)')
    .option(
      '--dry-path <path>',
      'directory of the dry source, if the metadata does not have it (default: the hydrated path)',
    )
    .option('--dry-revision <revision>', 'target revision, if the metadata does not have it', 'HEAD')
    .option('--namespace <namespace>', 'destination namespace, if the metadata does not have it', '')
    .option('--app <name>', 'with --repo: name of the Application (default: the first in the metadata)', '')
    .option('--same-tools', 'exit with 1 also if a tool is another program than the recorded one')
    .option('-N, --app-namespace <namespace>', 'namespace of the Application')
    .action((place: string, flags: ReproduceFlags) => reproduce(session, command, place, flags))
  showExamples(
    command,
    'wadi reproduce guestbook',
    'wadi reproduce --repo . --branch environments/prod --dry-repo . guestbook',
  )
  command.addHelpText(
    'after',
    '\nExit codes: 0 equal, 1 different (with --same-tools also if a tool is), 20 error.',
  )
  completeWith(command, 'applications')
}

async function reproduce(
  session: CommandSession,
  command: Command,
  place: string,
  flags: ReproduceFlags,
): Promise<void> {
  if (flags.repo !== undefined && flags.branch === undefined && flags.revision === undefined) {
    command.help({ error: true })
  }
  const { signal } = session
  const { hydrated, source } = await readHydrated(session, place, flags)
  const { parseRecord, reproduceHydration } = await import('../render/reproduce-hydration.ts')
  const { openRepository } = await import('../render/git-repository.ts')
  await using dryRepository = await openRepository(
    flags.dryRepo ?? parseRecord(hydrated.metadata).repoURL,
    signal,
  )
  const { openLocalPlugins } = await import('../plugins/local-plugins.ts')
  await using plugins = await openLocalPlugins(flags, session)
  const result = await reproduceHydration(hydrated, source, dryRepository, plugins, signal)
  for (const line of result.versionLines) session.inform(line)
  for (const { name, recorded, local, advice } of result.toolDifferences) {
    session.warn(
      `${name} is ${local} here and was ${recorded} at hydration; the bytes may differ for that${advice}`,
    )
  }
  if (flags.sameTools && result.toolDifferences.length > 0) process.exitCode = 1
  const { shortSha } = await import('../applications/hydration-state.ts')
  if (result.equal) {
    const manifests = result.manifestFiles.length
    const subject = manifests === 1 ? (result.manifestFiles[0] ?? '') : `${manifests} files with manifests`
    const { length } = hydrated.files
    const others = length === 0 ? '' : ` and ${length} ${length === 1 ? 'file' : 'files'}`
    const verb = length === 0 && manifests === 1 ? 'is' : 'are'
    const from = shortSha(result.drySha)
    process.stdout.write(`${place}: ${subject}${others} ${verb} reproduced byte for byte from ${from}\n`)
    return
  }
  const { differingObjects, unifiedDiff } = await import('../applications/manifest-diff.ts')
  const { withoutTerminalControls } = await import('../output/printable.ts')
  const differences = differingObjects(hydrated.manifest, result.manifest)
  const labels = { before: hydratedFiles.manifest, after: `rendered from ${shortSha(result.drySha)}` }
  for (const difference of differences) {
    process.stdout.write(withoutTerminalControls(unifiedDiff(difference, labels)))
  }
  for (const file of result.differingFiles) {
    process.stdout.write(withoutTerminalControls(`files/${file} differs\n`))
  }
  const kinds = [
    differences.length > 0 ? `${differences.length} differing objects` : '',
    result.differingFiles.length > 0 ? `${result.differingFiles.length} differing files` : '',
  ].filter(Boolean)
  const kind = kinds.join(' and ') || 'the same objects in other bytes'
  process.stdout.write(`${place}: ${shortSha(result.drySha)} renders to ${kind}\n`)
  process.exitCode = 1
}

async function readHydrated(
  session: CommandSession,
  place: string,
  flags: ReproduceFlags,
): Promise<{ hydrated: HydratedDirectory; source: ReproductionSource }> {
  const { signal } = session
  const { readFromRepository, readFromServer } = await import('../render/hydrated-directory.ts')
  if (flags.repo === undefined) {
    const { applications } = await session.connect('applications')
    const name = parseQualifiedName(place, flags.appNamespace)
    return readFromServer(applications, name, flags.revision ?? '', signal)
  }
  return {
    hydrated: await readFromRepository(flags.repo, flags.branch ?? '', flags.revision, place, signal),
    source: {
      path: flags.dryPath ?? place,
      options: {},
      destinationNamespace: flags.namespace,
      applicationName: flags.app,
      targetRevision: flags.dryRevision,
      manifestGeneratePaths: '',
    },
  }
}
