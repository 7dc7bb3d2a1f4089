import { Button, Group, Spoiler, Text } from '@mantine/core'
import { otherNames, type ShownDiff } from '@wadi/changes/report/equal-diffs.ts'
import { objectTitle, qualifiedName } from '@wadi/changes/report/report.ts'
import type { ObjectChange } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { type ReactNode, useState } from 'react'
import { visibleText } from '../words/visible-text.ts'
import { t } from '../language/t.ts'

/** The diff under which a change is shown, by change: its own, or the equal one of another Application. */
export type EqualChanges = ReadonlyMap<ObjectChange, ShownDiff>

interface EqualChangeNoteProps {
  change: ObjectChange
  diff: ShownDiff
  /** The change itself. */
  children: ReactNode
}

/** A change that is equal in several Applications: shown at the first, which names the others. */
export function EqualChangeNote({ change, diff, children }: EqualChangeNoteProps) {
  const [isOpen, setOpen] = useState(false)
  if (diff.object === change) {
    return (
      <>
        {children}
        <Spoiler maxHeight={60} showLabel={t('Show all')} hideLabel={t('Show less')}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {diff.others.length > 0 &&
              t.rich('The same in {count, plural, one {# other} other {# others}}: <given>{names}</given>', {
                count: diff.others.length,
                names: visibleText(otherNames(diff).join(', ')),
                given: <bdi />,
              })}
          </Text>
        </Spoiler>
      </>
    )
  }
  if (isOpen) return children
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t.rich('The same as <given>{object} in {application}</given>', {
          object: visibleText(objectTitle(diff.object)),
          application: qualifiedName(diff.application),
          given: <bdi />,
        })}
      </Text>
      <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
        {t('Show it here')}
      </Button>
    </Group>
  )
}
