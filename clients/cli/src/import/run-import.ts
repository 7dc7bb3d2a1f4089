import { stat } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { parseLabelSelector } from '@wadi/resources/label-selector.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { checkoutRemote } from '../diff/checkout-remote.ts'
import { withoutTerminalControls } from '../output/printable.ts'
import { openLocalPlugins } from '../plugins/local-plugins.ts'
import { gitPatch } from '../render/git-patch.ts'
import { type ChangedFiles, changedFiles } from './file-changes.ts'
import { findObjects, type FoundObjects, selected, titleOf } from './found-objects.ts'
import { type ImportContext, openImport } from './import-context.ts'
import type { ImportOptions } from './import-options.ts'
import { itemObject, placedItem, planText } from './import-report.ts'
import { checkRule } from './placement-rule.ts'
import { planImport } from './plan-import.ts'

/** Plans an import and prints it. */
export async function runImport(
  session: CommandSession,
  paths: readonly string[],
  options: ImportOptions,
): Promise<void> {
  checkRule(options.branch, '--branch')
  checkRule(options.path, '--path')
  const matches = parseLabelSelector(options.selector)
  const places = paths.length === 0 ? ['.'] : paths
  const directory = await directoryOf(places[0] ?? '.')
  await using plugins = await openLocalPlugins(options, session)
  const repoUrl = redactUrl(options.repo ?? (await checkoutRemote(directory).catch(() => '')))
  await using context = await openImport(directory, repoUrl, plugins, session)
  const found = await findObjects(
    context.side.tree,
    places.map((place) => insidePath(context.root, place)),
  )
  const objects = selected(found.objects, { names: options.app ?? [], matches })
  checkFound(found, objects.length, places, options)
  const planned = await planImport(
    objects,
    { rule: { branch: options.branch, path: options.path }, syncRepo: options.syncSourceRepo },
    context,
  )
  const changed = await changedFiles(context.root, planned)
  for (const warning of found.warnings) session.warn(warning)
  await printPlan(session, changed, found, context, options)
}

async function printPlan(
  session: CommandSession,
  { items, files }: ChangedFiles,
  { unreadable }: FoundObjects,
  { side }: ImportContext,
  { output }: ImportOptions,
): Promise<void> {
  const reported = await Promise.all(items.map((item) => placedItem(side.tree, item)))
  if (output !== 'text') {
    const { structuredText } = await import('../output/structured-output.ts')
    const left = unreadable.map((file) => ({ kind: '', name: '', outcome: 'stays', ...file }))
    process.stdout.write(structuredText([...reported.map(itemObject), ...left], output))
    return
  }
  process.stdout.write(planText(reported, unreadable))
  const patches = files.map((file) => gitPatch(file)).join('')
  if (patches !== '') process.stdout.write(`\n${withoutTerminalControls(patches)}`)
  for (const { found, notes } of items) {
    for (const note of notes) session.warn(`${titleOf(found.manifest)}: ${note}`)
  }
}

async function directoryOf(place: string): Promise<string> {
  const path = resolve(place)
  const stats = await stat(path).catch(() => undefined)
  if (!stats) throw new CommandFailure(`${place} does not exist`)
  return stats.isDirectory() ? path : resolve(path, '..')
}

/** Returns a path from the root of the repository. @throws CommandFailure for one that is not below it */
function insidePath(root: string, place: string): string {
  const path = relative(root, resolve(place)).split(sep).join('/')
  if (path !== '..' && !path.startsWith('../')) return path
  throw new CommandFailure(`${place} is not inside ${root}; import the files of one repository at a time`)
}

function checkFound(
  { objects, unreadable }: FoundObjects,
  count: number,
  places: readonly string[],
  { app = [], selector }: ImportOptions,
): void {
  if (count > 0 || (objects.length === 0 && unreadable.length > 0)) return
  const where = places.join(' and ')
  throw new CommandFailure(
    objects.length === 0
      ? `${where} has no Application and no ApplicationSet of Argo CD`
      : `none of the ${objects.length} Applications and ApplicationSets of ${where} is ${[...app, selector].filter((text) => text !== '').join(' or ')}`,
  )
}
