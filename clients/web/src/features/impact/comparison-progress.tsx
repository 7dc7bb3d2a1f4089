import { Button, Group, Progress as ProgressBar, Stack, Text } from '@mantine/core'
import type { Progress } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { t } from '../../language/t.ts'

const phases = new Map([
  ['resolve', t('Resolving the revision')],
  ['inspect', t('Inspecting sources')],
  ['render', t('Rendering')],
])

interface ComparisonProgressProps {
  progress: Progress | undefined
  cancel: () => void
}

/** Shows how far a comparison is, and offers to cancel it. */
export function ComparisonProgress({ progress, cancel }: ComparisonProgressProps) {
  const { phase = 'resolve', done = 0, total = 0 } = progress ?? {}
  const label = phases.get(phase) ?? phase
  return (
    <Group align="flex-end" wrap="nowrap">
      <Stack gap={4} role="status" flex={1}>
        <Text size="sm">
          {total > 0
            ? t('{phase}, {count, number} of {all, number}', { phase: label, count: done, all: total })
            : label}
        </Text>
        <ProgressBar value={total > 0 ? (100 * done) / total : 100} animated aria-label={label} />
      </Stack>
      <Button variant="default" size="xs" onClick={cancel}>
        {t('Cancel')}
      </Button>
    </Group>
  )
}
