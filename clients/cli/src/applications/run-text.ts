import type { GetRunResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/runs_pb.ts'
import type { Run } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'
import { blockLine, tableText } from '../output/table.ts'
import { shortSha } from './hydration-state.ts'

/** Returns a table with a line for each run. */
export function runTable(runs: readonly Run[]): string {
  const rows = runs.map((run) => [
    run.id,
    run.outcome,
    run.startedAt,
    secondsText(run.milliseconds),
    String(run.rendered),
    String(run.cached),
    String(run.skipped),
    String(run.failed),
    [...new Set(run.sources.flatMap(({ reasons }) => reasons))].join(', '),
  ])
  const headers = ['ID', 'OUTCOME', 'STARTED', 'TOOK', 'RENDERED', 'CACHED', 'SKIPPED', 'FAILED', 'WHY']
  return tableText(headers, rows)
}

/** Returns all of a run: the facts, then tables of steps, dry sources, directories and events. */
export function runBlock(run: Run, { branch, repoUrl, hidden }: Omit<GetRunResponse, 'run'>): string {
  const facts = [
    ['Run:', run.id],
    ['Branch:', `${branch} of ${repoUrl}`],
    ['Outcome:', run.isHard ? `${run.outcome}, hard` : run.outcome],
    ['Message:', run.message],
    ['Started:', run.startedAt],
    ['Took:', secondsText(run.milliseconds)],
    ['Waited:', run.queuedMilliseconds > 0 ? secondsText(run.queuedMilliseconds) : ''],
    ['Hydrated commit:', shortSha(run.hydratedSha)],
    ['Directories:', countsText(run)],
  ].filter(([, value]) => value !== '')
  const steps = run.steps.map(({ name, drySha, afterMilliseconds, milliseconds, error }) => [
    name,
    secondsText(afterMilliseconds),
    milliseconds < 0 ? 'under way' : secondsText(milliseconds),
    shortSha(drySha),
    error,
  ])
  const sources = run.sources.map(({ repoUrl: url, chart, targetRevision, drySha, reasons, message }) => [
    chart === '' ? url : `${chart} of ${url}`,
    targetRevision,
    shortSha(drySha),
    [...reasons, message].filter(Boolean).join(', '),
  ])
  const directories = run.directories.map(({ path, applications, result, isChanged, error }) => [
    path || '.',
    isChanged ? `${result}, changed` : result,
    applications.join(', '),
    error,
  ])
  const left = hidden + run.directoriesLeftOut
  return [
    facts.map(([key = '', value = '']) => blockLine(key, value)).join(''),
    section(['STEP', 'AFTER', 'TOOK', 'DRY COMMIT', 'ERROR'], steps),
    section(['DRY SOURCE', 'REVISION', 'DRY COMMIT', 'WHY'], sources),
    section(['DIRECTORY', 'RESULT', 'APPLICATIONS', 'ERROR'], directories),
    left > 0 ? `and ${left} more ${left === 1 ? 'directory' : 'directories'}\n` : '',
    section(
      ['EVENT', 'TYPE', 'AT', 'NOTE'],
      run.events.map(({ reason, type, at, note }) => [reason, type, at, note]),
    ),
  ].join('')
}

/** Returns how many directories became what, in words. */
function countsText({ total, rendered, cached, skipped, failed }: Run): string {
  const parts = [
    `${rendered} rendered`,
    `${cached} cached`,
    `${skipped} skipped as nothing changed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
  ]
  return total === 0 ? '' : `${total}: ${parts.join(', ')}`
}

function section(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? '' : `\n${tableText(headers, rows)}`
}

function secondsText(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds}ms` : `${(milliseconds / 1_000).toFixed(1)}s`
}
