import { Button, Group, Spoiler, Text } from '@mantine/core'
import { othersText, type ShownDiff } from '@wadi/changes/report/equal-diffs.ts'
import { objectTitle, qualifiedName } from '@wadi/changes/report/report.ts'
import type { ObjectChange } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { type ReactNode, useState } from 'react'
import { GivenText } from './given-text.tsx'

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
        <Spoiler maxHeight={60} showLabel="Show all" hideLabel="Show less">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <GivenText text={othersText(diff)} />
          </Text>
        </Spoiler>
      </>
    )
  }
  if (isOpen) return children
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        The same as <GivenText text={`${objectTitle(diff.object)} in ${qualifiedName(diff.application)}`} />
      </Text>
      <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
        Show it here
      </Button>
    </Group>
  )
}
