import type { JsonObject } from '@bufbuild/protobuf'
import type { Command } from 'commander'
import { collect } from '../command-line/command-line-values.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { listAt, objectAt, textAt } from '@wadi/fields/json-fields.ts'

const textFlags = [
  'drySourceRepo',
  'drySourceRevision',
  'drySourcePath',
  'syncSourceRepo',
  'syncSourceBranch',
  'syncSourcePath',
  'hydrateToBranch',
  'destServer',
  'destName',
  'destNamespace',
  'project',
] as const
const pairFlags = ['label', 'annotations'] as const

/** The flags of `app create` and `app set` that describe an Application. */
export type ApplicationFlags = Partial<
  Record<(typeof textFlags)[number], string> & Record<(typeof pairFlags)[number], string[]>
>

/** Adds the flags that describe an Application to a command. */
export function addApplicationFlags(command: Command): Command {
  return command
    .option('--dry-source-repo <url>', 'repository of the dry source')
    .option('--dry-source-revision <revision>', 'branch, tag, commit or version range of the dry source')
    .option('--dry-source-path <path>', 'directory of the dry source')
    .option('--sync-source-repo <url>', 'repository of the hydrated branches (default: the dry one)')
    .option('--sync-source-branch <branch>', 'branch that is deployed')
    .option('--sync-source-path <path>', 'directory for the hydrated manifests')
    .option('--hydrate-to-branch <branch>', 'staging branch to hydrate to; "" for none')
    .option('--dest-server <url>', 'destination cluster, by API URL')
    .option('--dest-name <name>', 'destination cluster, by name')
    .option('--dest-namespace <namespace>', 'namespace of the destination')
    .option('--project <name>', 'AppProject')
    .option('-l, --label <key=value>', 'label to set (repeatable)', collect)
    .option('--annotations <key=value>', 'annotation to set (repeatable)', collect)
}

/** Returns true if any flag that describes an Application is given. */
export function hasApplicationFlags(flags: ApplicationFlags): boolean {
  return [...textFlags, ...pairFlags].some((name) => flags[name] !== undefined)
}

/**
 * Returns the Application with the given flags put in; what no flag names stays. One of `--dest-server` and
 * `--dest-name` removes the other.
 * @param source position from 0 of the dry source that the flags are about; only needed where there are several
 * @throws CommandFailure for a label or annotation without `=`.
 */
export function withApplicationFlags(
  application: JsonObject,
  flags: ApplicationFlags,
  source?: number,
): JsonObject {
  const metadata = objectAt(application, 'metadata')
  const spec = objectAt(application, 'spec')
  const hydrator = withHydratorFlags(objectAt(spec, 'sourceHydrator'), flags, source)
  const labels = { ...objectAt(metadata, 'labels'), ...pairs(flags.label, '--label') }
  const annotations = { ...objectAt(metadata, 'annotations'), ...pairs(flags.annotations, '--annotations') }
  return {
    ...application,
    metadata: {
      ...metadata,
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    spec: {
      ...spec,
      project: flags.project ?? (textAt(spec, 'project') || 'default'),
      destination: withDestinationFlags(objectAt(spec, 'destination'), flags),
      ...(Object.keys(hydrator).length > 0 && { sourceHydrator: hydrator }),
    },
  }
}

function withHydratorFlags(hydrator: JsonObject, flags: ApplicationFlags, source?: number): JsonObject {
  const dry = withDryFlags(hydrator, flags, source)
  const syncSource = withTexts(objectAt(hydrator, 'syncSource'), {
    repoURL: flags.syncSourceRepo || undefined,
    targetBranch: flags.syncSourceBranch,
    path: flags.syncSourcePath,
  })
  if (flags.syncSourceRepo === '') delete syncSource['repoURL']
  const { hydrateTo, drySource: _drySource, drySources: _drySources, ...rest } = hydrator
  return {
    ...rest,
    ...dry,
    ...(Object.keys(syncSource).length > 0 && { syncSource }),
    ...(hydrateTo !== undefined && flags.hydrateToBranch === undefined && { hydrateTo }),
    ...(flags.hydrateToBranch && { hydrateTo: { targetBranch: flags.hydrateToBranch } }),
  }
}

function withDryFlags(hydrator: JsonObject, flags: ApplicationFlags, source?: number): JsonObject {
  const texts = {
    repoURL: flags.drySourceRepo,
    targetRevision: flags.drySourceRevision,
    path: flags.drySourcePath,
  }
  const listed = listAt(hydrator, 'drySources')
  if (listed.length === 0) {
    const drySource = withTexts(objectAt(hydrator, 'drySource'), texts)
    return Object.keys(drySource).length > 0 ? { drySource } : {}
  }
  const changesSource = Object.values(texts).some((text) => text !== undefined)
  if (changesSource && source === undefined) {
    throw new CommandFailure(
      'the application has several dry sources: name one with --source-position or --source-name',
    )
  }
  return {
    drySources: listed.map((one, index) => (index === source ? withTexts(objectAt(one), texts) : one)),
  }
}

function withDestinationFlags(destination: JsonObject, flags: ApplicationFlags): JsonObject {
  const next = withTexts(destination, {
    server: flags.destServer,
    name: flags.destName,
    namespace: flags.destNamespace,
  })
  if (flags.destServer !== undefined && flags.destName === undefined) delete next['name']
  if (flags.destName !== undefined && flags.destServer === undefined) delete next['server']
  return next
}

function withTexts(object: JsonObject, texts: Record<string, string | undefined>): JsonObject {
  const given = Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { ...object, ...Object.fromEntries(given) }
}

function pairs(values: readonly string[] | undefined, flag: string): Record<string, string> {
  return Object.fromEntries(
    (values ?? []).map((value) => {
      const split = value.indexOf('=')
      if (split < 1) throw new CommandFailure(`${flag} takes key=value, not ${JSON.stringify(value)}`)
      return [value.slice(0, split), value.slice(split + 1)]
    }),
  )
}
