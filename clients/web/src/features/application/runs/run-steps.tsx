import { Stack, Text, Title } from '@mantine/core'
import type { Run, RunStep } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'
import { GivenText } from '../../../components/given-text.tsx'
import { millisecondsText, stepBar, stepTitle } from './run-words.ts'
import classes from './runs.module.css'
import { t } from '../../../language/t.ts'

/** The steps of a run with their times, each as a bar within that of the run. */
export function RunSteps({ run }: { run: Run }) {
  if (run.steps.length === 0) return null
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('Steps')}
      </Title>
      <ol className={classes.steps} aria-label={t('Steps')}>
        {run.steps.map((step) => (
          <Step key={`${step.name} ${step.afterMilliseconds}`} step={step} runMs={run.milliseconds} />
        ))}
      </ol>
    </Stack>
  )
}

function Step({ step, runMs }: { step: RunStep; runMs: number }) {
  const { drySha, milliseconds, error } = step
  const { start, width } = stepBar(step, runMs)
  const isUnderWay = milliseconds < 0
  return (
    <li className={classes.step}>
      <Text size="sm">
        {stepTitle(step)}
        {drySha !== '' && (
          <Text span size="xs" c="dimmed" ml="xs">
            {t('dry commit {sha}', { sha: drySha.slice(0, 7) })}
          </Text>
        )}
      </Text>
      <Text size="sm" className={classes.took ?? ''}>
        {isUnderWay ? t('under way') : millisecondsText(milliseconds)}
      </Text>
      <div className={classes.track} aria-hidden>
        <div
          className={classes.bar}
          data-failed={error !== '' || undefined}
          style={{ marginInlineStart: `${start}%`, width: `${width}%` }}
        />
      </div>
      {error !== '' && (
        <Text size="sm" c="red" className={classes.error ?? ''}>
          <GivenText text={error} lang="en" />
        </Text>
      )}
    </li>
  )
}
