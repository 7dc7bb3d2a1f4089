import { Stack, Text } from '@mantine/core'
import type { ObjectChange } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { counted } from '../words/counted.ts'
import { GivenText } from './given-text.tsx'
import { TextDiff } from './text-diff.tsx'

const maxShown = 20

/** What becomes of objects and files, one below the other; the server has masked the values of Secrets. */
export function ObjectChanges({ objects }: { objects: readonly ObjectChange[] }) {
  return (
    <Stack>
      {objects.slice(0, maxShown).map((change) => (
        <Change key={titleOf(change)} change={change} />
      ))}
      {objects.length > maxShown && (
        <Text size="sm">and {counted(objects.length - maxShown, 'more object')}</Text>
      )}
    </Stack>
  )
}

function Change({ change }: { change: ObjectChange }) {
  const title = titleOf(change)
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        <GivenText text={title} />: {change.change}
      </Text>
      {change.truncated ? (
        <Text size="sm" c="dimmed">
          It is too long to be shown here.
        </Text>
      ) : (
        <TextDiff
          before={change.before}
          after={change.after}
          labels={[`${title} before`, `${title} after`]}
        />
      )}
    </Stack>
  )
}

function titleOf({ identity, file }: ObjectChange): string {
  if (!identity) return file
  return [identity.kind, identity.namespace, identity.name].filter((part) => part !== '').join(' ')
}
