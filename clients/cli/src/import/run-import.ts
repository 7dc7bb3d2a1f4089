import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { parseLabelSelector } from '@wadi/resources/label-selector.ts'
import { CommandFailure, failureExitCode } from '../command-line/command-failure.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { checkoutRemote } from '../diff/checkout-remote.ts'
import { openLocalPlugins } from '../plugins/local-plugins.ts'
import { nearestRepository } from '../render/nearest-repository.ts'
import { applyChanges, checkWhole } from './apply-changes.ts'
import { type CheckedApplication, checkImport, checkManifestsDirectory } from './check-import.ts'
import { clusterObjects } from './cluster-objects.ts'
import { changedFiles } from './file-changes.ts'
import { findObjects, type FoundObjects, selected } from './found-objects.ts'
import { openImport } from './import-context.ts'
import type { ImportOptions } from './import-options.ts'
import { recorded, revertedFiles } from './import-record.ts'
import { checkRule } from './placement-rule.ts'
import { withFiles } from './override-files.ts'
import { directoryOf, insidePath, isBelow } from './path-places.ts'
import { planImport } from './plan-import.ts'
import { provenItems } from './proven-items.ts'
import { isHydrated } from './stay-reasons.ts'
import { planTemplates } from './templates/plan-templates.ts'
import { type ImportPlan, printChanges, printPlan } from './print-plan.ts'

/** Plans an import, prints it, and writes it if that is asked for. */
export async function runImport(
  session: CommandSession,
  paths: readonly string[],
  options: ImportOptions,
): Promise<void> {
  checkFlags(paths, options)
  if (options.manifests !== undefined) await checkManifestsDirectory(options.manifests)
  const matches = parseLabelSelector(options.selector)
  const places = paths.length === 0 ? ['.'] : paths
  const directory = await directoryOf(places[0] ?? '.')
  const root = nearestRepository(directory)
  const inside = places.map((place) => insidePath(root, place))
  if (options.revert) return revert(session, root, inside, options)
  await using plugins = await openLocalPlugins(options, session)
  const repoUrl = redactUrl(options.repo ?? (await checkoutRemote(directory).catch(() => '')))
  await using context = await openImport(root, repoUrl, plugins, session)
  const found =
    options.kubeconfig === undefined
      ? await findObjects(context.side.tree, inside)
      : await clusterObjects(options.kubeconfig, session.signal)
  const selection = { names: options.app ?? [], matches }
  const wanted = selected(found.objects, selection)
  const objects = options.takeOver ? wanted.filter(({ manifest }) => isHydrated(manifest)) : wanted
  const rule = { branch: options.branch, path: options.path }
  const request = {
    rule,
    syncRepo: options.syncSourceRepo,
    moveParameters: options.moveParameters === true,
    takeOver: options.takeOver === true,
  }
  const templates = request.takeOver
    ? { items: [], unreadable: found.unreadable }
    : await planTemplates(found, selection, request, context)
  const count = objects.length + templates.items.length
  checkFound(found, count, options.kubeconfig === undefined ? places : ['the cluster'], options)
  const planned = await planImport(objects, found.known, request, context, templates.items)
  const changed = await changedFiles(root, planned)
  const isWhole = options.app === undefined && options.selector === ''
  const isCompared = options.check || options.manifests !== undefined
  const written = changed.items.flatMap(({ move }) => move?.files ?? [])
  const after = { ...context, side: withFiles(context.side, written) }
  const sides = { before: context, after, manifests: options.manifests }
  const checked: ImportPlan['checked'] = isCompared ? await checkImport(changed.items, sides) : new Map()
  const { items, files } = options.partial
    ? await changedFiles(root, provenItems(changed.items, checked))
    : changed
  const plan = { items, files, unreadable: isWhole ? templates.unreadable : [], checked }
  for (const warning of found.warnings) session.warn(warning)
  await printPlan(session, plan, context, options)
  const compared = items.flatMap((item) => checked.get(item)?.applications ?? [])
  const exitCode = exitCodeOf(compared)
  process.exitCode = exitCode
  if (!options.write && options.commit === undefined) return
  if (exitCode !== 0) throw new CommandFailure('nothing was written, as not all objects are equal', exitCode)
  if (!options.partial) checkWhole(plan)
  await applyChanges(session, root, await recorded(root, files), options, 'Hydrate Applications')
}

/** As the diff commands of argocd end. */
const differenceExitCode = 1

function exitCodeOf(checked: readonly CheckedApplication[]): number {
  if (checked.some(({ error }) => error !== undefined)) return failureExitCode
  return checked.some(({ differences }) => differences.length > 0) ? differenceExitCode : 0
}

async function revert(
  session: CommandSession,
  root: string,
  inside: readonly string[],
  options: ImportOptions,
): Promise<void> {
  const files = await revertedFiles(root, (path) => isBelow(path, inside))
  printChanges(files, options)
  await applyChanges(session, root, files, options, 'Take hydrated Applications back to their sources')
}

function checkFlags(paths: readonly string[], options: ImportOptions): void {
  const { branch, path, write, commit, revert: reverts, app, selector, kubeconfig, moveParameters } = options
  const { takeOver, check } = options
  checkRule(branch, '--branch')
  checkRule(path, '--path')
  if (write && commit !== undefined) throw new CommandFailure('give either --write or --commit')
  if (reverts && (app !== undefined || selector !== '')) {
    throw new CommandFailure('--revert is about whole files: name them in place of --app and --selector')
  }
  if (takeOver && (check || moveParameters)) {
    throw new CommandFailure(
      '--take-over keeps drySource: leave out --move-parameters, and compare with "wadi shadow" in place of --check',
    )
  }
  const writes = write || commit !== undefined || reverts || moveParameters
  if (kubeconfig !== undefined && (paths.length > 0 || writes)) {
    throw new CommandFailure(
      '--kubeconfig reads from a cluster, and no file is changed: leave out paths, --write, --commit, --revert and --move-parameters, and take the objects from -o json or -o yaml',
    )
  }
}

function checkFound(
  { objects, unreadable }: FoundObjects,
  count: number,
  places: readonly string[],
  { app = [], selector, takeOver }: ImportOptions,
): void {
  if (count > 0 || (objects.length === 0 && unreadable.length > 0)) return
  const where = places.join(' and ')
  const asked = [...app, selector, takeOver ? 'hydrated' : ''].filter((text) => text !== '').join(' or ')
  throw new CommandFailure(
    objects.length === 0
      ? `${where} has no Application and no ApplicationSet of Argo CD`
      : `none of the ${objects.length} Applications and ApplicationSets of ${where} is ${asked}`,
  )
}
