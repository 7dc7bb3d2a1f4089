import type { Run, RunDirectory, RunStep } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'

const stepTitles: Readonly<Record<string, string>> = {
  observe: 'Look at branch and sources',
  restore: 'Undo a foreign change',
  validate: 'Check the Applications',
  inspect: 'Find what changed',
  commit: 'Render and commit',
  lookBack: 'Look at the branch again',
  report: 'Write the status',
}

/** Returns what a step does, in words; the name of one that this page does not know. */
export function stepTitle({ name }: Pick<RunStep, 'name'>): string {
  return Object.hasOwn(stepTitles, name) ? (stepTitles[name] ?? name) : name
}

/** Returns how many directories became what, in words; empty for a run that got to none. */
export function countsText({ total, rendered, cached, skipped, failed }: Run): string {
  if (total === 0) return ''
  const parts = [
    [failed, 'failed'],
    [rendered, 'rendered'],
    [cached, 'cached'],
    [skipped, 'skipped'],
  ] as const
  return parts.flatMap(([count, word]) => (count > 0 ? `${count.toLocaleString()} ${word}` : [])).join(', ')
}

/** Returns what became of one directory and why, as a sentence. */
export function directoryText(run: Run, directory: RunDirectory | undefined): string {
  if (directory) {
    const { result, isChanged } = directory
    if (result === 'failed') return 'It cannot be rendered, so nothing of its dry source was committed.'
    const how =
      result === 'cached'
        ? 'It was rendered before with the same inputs, so the cached result was taken'
        : 'What it is rendered from changed, so it was rendered'
    if (run.outcome === 'Running') return `${how}.`
    return isChanged ? `${how}, and its manifests changed.` : `${how}; its manifests stayed the same.`
  }
  if (run.outcome === 'Running') return 'It was not reached yet.'
  if (run.directoriesLeftOut > 0 || run.total === 0) return ''
  return 'It was skipped: nothing that decides its manifests changed.'
}

/** Returns a duration in the words of the reader's language. */
export function millisecondsText(milliseconds: number): string {
  const [value, unit] =
    milliseconds < 1_000
      ? [milliseconds, 'millisecond']
      : milliseconds < 90_000
        ? [milliseconds / 1_000, 'second']
        : [milliseconds / 60_000, 'minute']
  return new Intl.NumberFormat(undefined, {
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
