import { Button, Stack } from '@mantine/core'
import type { ApplicationChange } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { AffectedNames } from '../../components/delete-question.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import { t } from '../../language/t.ts'

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
  const agreeAndClose = () => {
    close()
    agree()
  }
  const title = t('{count, plural, one {Delete # Application?} other {Delete # Applications?}}', {
    count: names.length,
  })
  return (
    <Dialog title={title} close={close}>
      <Stack>
        <AffectedNames title={t('The ApplicationSet generates these no longer:')} names={names} />
        <DialogButtons isLeaveFirst>
          <Button color="red" onClick={agreeAndClose}>
            {t('Apply and delete')}
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}
