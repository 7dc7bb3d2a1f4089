import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ApplicationChange } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { AffectedNames } from '../../components/delete-question.tsx'
import { counted } from '../../words/counted.ts'

interface SetDeletionsProps {
  names: readonly string[]
  agree: () => void
  close: () => void
}

/** Returns the names of the Applications that a change deletes. */
export function deletedNames(changes: readonly ApplicationChange[]): string[] {
  return changes.filter(({ action }) => action === 'delete').map(({ name }) => name)
}

/** Names the Applications that a change of a set deletes, and asks. */
export function SetDeletions({ names, agree, close }: SetDeletionsProps) {
  const title = `Delete ${counted(names.length, 'Application')}?`
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <AffectedNames title="The ApplicationSet generates these no longer:" names={names} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button color="red" onClick={agree}>
            Apply and delete
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
