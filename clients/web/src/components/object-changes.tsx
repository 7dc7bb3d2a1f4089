import { Stack, Text } from '@mantine/core'
import type { ShownDiff } from '@wadi/changes/report/equal-diffs.ts'
import type { ObjectChange, ObjectIdentity } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { changeWord } from '../words/change-word.ts'
import { EqualChangeNote, type EqualChanges } from './equal-change-note.tsx'
import { GivenText } from './given-text.tsx'
import { TextDiff } from './text-diff.tsx'
import { t } from '../language/t.ts'

const maxShown = 20

interface ObjectChangesProps {
  objects: readonly ObjectChange[]
  /** The changes that are equal in several Applications; none by default. */
  equal?: EqualChanges
}

/** Shows the changes of objects and files, one below the other; the server has masked the values of Secrets. */
export function ObjectChanges({ objects, equal }: ObjectChangesProps) {
  return (
    <Stack>
      {objects.slice(0, maxShown).map((change) => (
        <Change key={titleOf(change)} change={change} equal={equal?.get(change)} />
      ))}
      {objects.length > maxShown && (
        <Text size="sm">
          {t('and {count, plural, one {# more object} other {# more objects}}', {
            count: objects.length - maxShown,
          })}
        </Text>
      )}
    </Stack>
  )
}

function Change({ change, equal }: { change: ObjectChange; equal: ShownDiff | undefined }) {
  const title = titleOf(change)
  const diff = <Diff change={change} title={title} />
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        <GivenText text={title} />: {changeWord(change.change)}
      </Text>
      {equal ? (
        <EqualChangeNote change={change} diff={equal}>
          {diff}
        </EqualChangeNote>
      ) : (
        diff
      )}
    </Stack>
  )
}

function Diff({ change, title }: { change: ObjectChange; title: string }) {
  const { before, after, truncated } = change
  const isSame = before === after
  if (truncated || isSame) {
    return (
      <Text size="sm" c="dimmed">
        {truncated ? t('It is too long to be shown here.') : t('The content is the same.')}
      </Text>
    )
  }
  const labels = [t('{name} before', { name: title }), t('{name} after', { name: title })] as const
  return <TextDiff before={before} after={after} labels={labels} />
}

function titleOf({ identity, file, previous, movedFrom, movedTo }: ObjectChange): string {
  if (!identity) return file
  const title = identityText(identity)
  if (previous) return t('{name} (was {former})', { name: title, former: identityText(previous) })
  if (movedFrom)
    return t('{name} (from {place})', { name: title, place: `${movedFrom.namespace}/${movedFrom.name}` })
  return movedTo
    ? t('{name} (to {place})', { name: title, place: `${movedTo.namespace}/${movedTo.name}` })
    : title
}

function identityText({ kind, namespace, name }: ObjectIdentity): string {
  return [kind, namespace, name].filter((part) => part !== '').join(' ')
}
