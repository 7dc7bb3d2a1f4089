import { Button, Group, Progress as ProgressBar, Stack, Text } from '@mantine/core'
import type { Progress } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'

const phases = new Map([
  ['resolve', 'Resolving the revision'],
  ['inspect', 'Inspecting sources'],
  ['render', 'Rendering'],
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
          {label}
          {total > 0 && `, ${done} of ${total}`}
        </Text>
        <ProgressBar value={total > 0 ? (100 * done) / total : 100} animated aria-label={label} />
      </Stack>
      <Button variant="default" size="xs" onClick={cancel}>
        Cancel
      </Button>
    </Group>
  )
}
