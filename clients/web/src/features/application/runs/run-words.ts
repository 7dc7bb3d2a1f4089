import type { Run, RunDirectory, RunStep } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'

import { locale } from '../../../language/catalogue.ts'
import { t } from '../../../language/t.ts'

const stepTitles: Readonly<Record<string, string>> = {
  observe: t('Look at branch and sources'),
  restore: t('Undo a foreign change'),
  validate: t('Check the Applications'),
  inspect: t('Find what changed'),
  commit: t('Render and commit'),
  lookBack: t('Look at the branch again'),
  report: t('Write the status'),
}

/** Returns what a step does, in words; the name of one that this page does not know. */
export function stepTitle({ name }: Pick<RunStep, 'name'>): string {
  return Object.hasOwn(stepTitles, name) ? (stepTitles[name] ?? name) : name
}

/** Returns how many directories became what, in words; empty for a run that got to none. */
export function countsText({ total, rendered, cached, skipped, failed }: Run): string {
  if (total === 0) return ''
  const parts = [
    [failed, t('{count, number} failed', { count: failed })],
    [rendered, t('{count, number} rendered', { count: rendered })],
    [cached, t('{count, number} cached', { count: cached })],
    [skipped, t('{count, number} skipped', { count: skipped })],
  ] as const
  return parts.flatMap(([count, text]) => (count > 0 ? text : [])).join(', ')
}

/** Returns what became of one directory and why, as a sentence. */
export function directoryText(run: Run, directory: RunDirectory | undefined): string {
  if (directory) {
    const { result, isChanged } = directory
    if (result === 'failed') return t('It cannot be rendered, so nothing of its dry source was committed.')
    const how =
      result === 'cached'
        ? t('It was rendered before with the same inputs, so the cached result was taken')
        : t('What it is rendered from changed, so it was rendered')
    if (run.outcome === 'Running') return t('{reason}.', { reason: how })
    return isChanged
      ? t('{reason}, and its manifests changed.', { reason: how })
      : t('{reason}; its manifests stayed the same.', { reason: how })
  }
  if (run.outcome === 'Running') return t('It was not reached yet.')
  if (run.directoriesLeftOut > 0 || run.total === 0) return ''
  return t('It was skipped: nothing that decides its manifests changed.')
}

/** Returns a duration in the words of the reader's language. */
export function millisecondsText(milliseconds: number): string {
  const [value, unit] =
    milliseconds < 1_000
      ? [milliseconds, 'millisecond']
      : milliseconds < 90_000
        ? [milliseconds / 1_000, 'second']
        : [milliseconds / 60_000, 'minute']
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: unit === 'millisecond' ? 0 : 1,
  }).format(value)
}

/** Returns the share of a run that a step took, and where it began, in percent. */
export function stepBar(step: RunStep, runMs: number): { start: number; width: number } {
  const whole = Math.max(1, runMs)
  const start = Math.min(100, (step.afterMilliseconds / whole) * 100)
  const took = step.milliseconds < 0 ? runMs - step.afterMilliseconds : step.milliseconds
  return { start, width: Math.max(0.5, Math.min(100 - start, (took / whole) * 100)) }
}
